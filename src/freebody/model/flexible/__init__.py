"""Flexible bodies: beams, nodes with given mode shapes, and given modal integrals, all as modal data"""
