"""What a model would see of these servers: names, function-calling shapes, retrieval, dispatch. Knows no Qt."""
