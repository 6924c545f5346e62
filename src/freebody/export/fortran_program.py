"""placeholder"""
fortran_files = None
