"""Finite elements: structures of beams, plates and solids, their reduction to few modes, and modal data of bodies"""
