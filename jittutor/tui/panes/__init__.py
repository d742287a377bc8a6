"""The parts of the lesson screen; each draws facts of the domain, and none knows another."""
