"""What a model returned → the calls that it means → the results in the shape that its provider takes back."""
