"""The real servers of others that start without the internet: what is installed, and how each is started."""

from __future__ import annotations

from dataclasses import dataclass, field

NOWHERE = "http://127.0.0.1:9"


@dataclass(frozen=True)
class Real:
    """One server. `packages` are pip's or npm's; `program` is a script, or a file below node_modules.

    ``DATA`` in arguments and variables is a scratch folder with a small repository in ``repo``, ``PORT`` a free port,
    ``CHROMIUM`` a browser. `modern`: it speaks 2026-07-28 too. `http` are the arguments that make it serve Streamable
    HTTP at ``/mcp``, None where it does not; `http_env` are variables for that. `account`: the ways (``stdio``,
    ``http``) on which it lists nothing without a real account.
    """

    kind: str
    packages: tuple[str, ...]
    program: str
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    modern: bool = False
    http: tuple[str, ...] | None = None
    http_env: dict[str, str] = field(default_factory=dict)
    account: tuple[str, ...] = ()


def _app(name: str) -> Real:
    """One of the MCP Apps examples, which are all started alike."""
    package = f"@modelcontextprotocol/server-{name}"
    program = f"{package}/dist/index.js"
    return Real("npm", (f"{package}@2.0.3",), program, ("--stdio",), http=(), http_env={"PORT": "PORT"})


SERVERS = {
    "time": Real("pip", ("mcp-server-time==2026.10.19",), "mcp-server-time", ("--local-timezone", "UTC"), modern=True),
    "git": Real("pip", ("mcp-server-git==2026.10.19",), "mcp-server-git", ("--repository", "DATA/repo"), modern=True),
    "fetch": Real("pip", ("mcp-server-fetch==2026.10.24",), "mcp-server-fetch", modern=True),
    "sqlite": Real("pip", ("mcp-server-sqlite==2025.4.25", "mcp<2"), "mcp-server-sqlite", ("--db-path", "DATA/t.db")),
    "fastmcp-sample": Real(
        "pip",
        ("fastmcp-sample-server==0.4.1",),
        "sample-mcp-server",
        ("--transport", "stdio"),
        modern=True,
        http=("--transport", "http", "--host", "127.0.0.1", "--port", "PORT"),
    ),
    "word": Real("pip", ("office-word-mcp-server==1.1.11",), "word_mcp_server", modern=True),
    "arxiv": Real("pip", ("arxiv-mcp-server==0.8.2",), "arxiv-mcp-server", ("--storage-path", "DATA/arxiv")),
    "duckdb": Real("pip", ("mcp-server-duckdb==1.1.0", "mcp<2"), "mcp-server-duckdb", ("--db-path", "DATA/t.duckdb")),
    "atlassian": Real(
        "pip",
        ("mcp-atlassian==0.23.1",),
        "mcp-atlassian",
        env={
            "JIRA_URL": NOWHERE,
            "JIRA_USERNAME": "u",
            "JIRA_API_TOKEN": "x",
            "CONFLUENCE_URL": f"{NOWHERE}/wiki",
            "CONFLUENCE_USERNAME": "u",
            "CONFLUENCE_API_TOKEN": "x",
        },
        http=("--transport", "streamable-http", "--host", "127.0.0.1", "--port", "PORT"),
        account=("http",),
    ),
    "aws-docs": Real(
        "pip",
        ("awslabs-aws-documentation-mcp-server==1.2.3",),
        "awslabs.aws-documentation-mcp-server",
        modern=True,
    ),
    "clickhouse": Real(
        "pip",
        ("mcp-clickhouse==0.7.0",),
        "mcp-clickhouse",
        env={
            "CLICKHOUSE_HOST": "127.0.0.1",
            "CLICKHOUSE_USER": "u",
            "CLICKHOUSE_PASSWORD": "x",
            "CLICKHOUSE_ENABLED": "true",
            "CHDB_ENABLED": "false",
        },
        modern=True,
    ),
    "workspace": Real(
        "pip",
        ("workspace-mcp==2.2.1",),
        "workspace-mcp",
        env={"GOOGLE_OAUTH_CLIENT_ID": "x", "GOOGLE_OAUTH_CLIENT_SECRET": "y", "OAUTHLIB_INSECURE_TRANSPORT": "1"},
        modern=True,
    ),
    "pymupdf4llm": Real("pip", ("pymupdf4llm-mcp==1.28.0", "mcp<2"), "pymupdf4llm-mcp", ("stdio",)),
    "kglite": Real(
        "pip",
        ("kglite==0.21.2",),
        "kglite-mcp-server",
        ("--graph", "DATA/g.kgl", "--storage", "memory", "--writable"),
        modern=True,
    ),
    "devmcp": Real("pip", ("devmcp-server==0.3.0",), "devmcp", ("--repo-path", "DATA/repo")),
    "grafana": Real(
        "pip",
        ("mcp-grafana==2.1.1",),
        "mcp-grafana",
        ("-t", "stdio"),
        {"GRAFANA_URL": NOWHERE, "GRAFANA_SERVICE_ACCOUNT_TOKEN": "x"},
        modern=True,
        http=("-t", "streamable-http", "-address", "localhost:PORT"),
    ),
    "everything": Real(
        "npm",
        ("@modelcontextprotocol/server-everything@2026.8.31",),
        "@modelcontextprotocol/server-everything/dist/index.js",
        ("stdio",),
        http=("streamableHttp",),
        http_env={"PORT": "PORT"},
    ),
    "memory": Real(
        "npm",
        ("@modelcontextprotocol/server-memory@2026.8.31",),
        "@modelcontextprotocol/server-memory/dist/index.js",
        env={"MEMORY_FILE_PATH": "DATA/memory.jsonl"},
    ),
    "sequential-thinking": Real(
        "npm",
        ("@modelcontextprotocol/server-sequential-thinking@2026.8.31",),
        "@modelcontextprotocol/server-sequential-thinking/dist/index.js",
    ),
    "filesystem": Real(
        "npm",
        ("@modelcontextprotocol/server-filesystem",),
        "@modelcontextprotocol/server-filesystem/dist/index.js",
        ("DATA",),
    ),
    "github": Real(
        "npm",
        ("@modelcontextprotocol/server-github@2025.4.8",),
        "@modelcontextprotocol/server-github/dist/index.js",
        env={"GITHUB_PERSONAL_ACCESS_TOKEN": "x"},
    ),
    "playwright": Real(
        "npm",
        ("@playwright/mcp@0.0.83",),
        "@playwright/mcp/cli.js",
        ("--headless", "--no-sandbox", "--isolated", "--executable-path", "CHROMIUM"),
        http=("--headless", "--no-sandbox", "--isolated", "--executable-path", "CHROMIUM", "--port", "PORT"),
    ),
    "chrome-devtools": Real(
        "npm",
        ("chrome-devtools-mcp@1.11.0",),
        "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
        ("--headless", "--isolated", "--executablePath", "CHROMIUM", "--no-usage-statistics"),
    ),
    "context7": Real(
        "npm",
        ("@upstash/context7-mcp@4.1.1",),
        "@upstash/context7-mcp/dist/index.js",
        modern=True,
        http=("--transport", "http", "--port", "PORT"),
    ),
    "basic-vanillajs": _app("basic-vanillajs"),
    "budget-allocator": _app("budget-allocator"),
    "customer-segmentation": _app("customer-segmentation"),
    "map": _app("map"),
    "shadertoy": _app("shadertoy"),
    "video-resource": _app("video-resource"),
    "wiki-explorer": _app("wiki-explorer"),
    "desktop-commander": Real(
        "npm",
        ("@wonderwhy-er/desktop-commander@0.2.52",),
        "@wonderwhy-er/desktop-commander/dist/index.js",
        ("--no-onboarding",),
    ),
    "gitlab-zereight": Real(
        "npm",
        ("@zereight/mcp-gitlab@2.1.64",),
        "@zereight/mcp-gitlab/build/index.js",
        env={"GITLAB_PERSONAL_ACCESS_TOKEN": "x"},
    ),
    "mongodb": Real(
        "npm",
        ("mongodb-mcp-server@3.0.4",),
        "mongodb-mcp-server/dist/esm/index.js",
        env={"MDB_MCP_TELEMETRY": "disabled"},
        modern=True,
        http=("--transport", "http", "--httpPort", "PORT"),
    ),
    "supabase": Real(
        "npm",
        ("@supabase/mcp-server-supabase@0.13.0",),
        "@supabase/mcp-server-supabase/dist/cli.js",
        ("--access-token=sbp_x",),
        modern=True,
        account=("stdio",),
    ),
    "eslint": Real("npm", ("@eslint/mcp@0.3.13",), "@eslint/mcp/src/mcp-cli.js"),
    "firecrawl": Real(
        "npm", ("firecrawl-mcp@3.26.0",), "firecrawl-mcp/dist/index.js", env={"FIRECRAWL_API_KEY": "fc-x"}
    ),
    "tavily": Real("npm", ("tavily-mcp@0.2.22",), "tavily-mcp/build/index.js", env={"TAVILY_API_KEY": "tvly-x"}),
    "sentry": Real("npm", ("@sentry/mcp-server@0.39.0",), "@sentry/mcp-server/dist/index.js", ("--access-token=x",)),
    "drawio": Real("npm", ("@drawio/mcp@1.6.1",), "@drawio/mcp/src/index.js"),
}
