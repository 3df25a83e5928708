"""What the engines that speak Google's graph languages share, without their packages.

A graph becomes tables with a property graph over them, queries ask for the numbers of elements, values go both ways.
"""
