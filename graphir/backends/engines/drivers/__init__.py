"""Drivers of engines that are not ours.  Each module is the only one that knows its package."""
