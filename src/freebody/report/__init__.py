"""What is told about a model or a run: the roadmap, and the page that holds everything."""
