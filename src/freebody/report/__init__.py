"""The roadmap of a system, and the HTML page of a model or a run."""
