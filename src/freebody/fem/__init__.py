"""Structures of finite elements: their mass and stiffness matrices, interfaces, and reduction to flexible bodies"""
