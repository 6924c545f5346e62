"""The roadmap of a system (tables of its elements), and the HTML report of a model or a run."""
