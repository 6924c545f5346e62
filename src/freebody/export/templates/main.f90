! ${name}_main [PARAMETERS [RESULT]]: reads a parameter file (${name}.par), simulates, and writes ${name}.nc.
program ${name}_main
    use, intrinsic :: iso_fortran_env, only: error_unit
    use ${name}, only: simulation, set_defaults, read_parameters, simulate, write_result
    implicit none
    type(simulation), save :: s
    character(len=1000) :: parameters, result
    logical :: failed

    parameters = '${name}.par'
    result = '${name}.nc'
    if (command_argument_count() > 0) call get_command_argument(1, parameters)
    if (command_argument_count() > 1) call get_command_argument(2, result)
    if (command_argument_count() > 2) then
        write (error_unit, '(a)') 'usage: ${name} [PARAMETERS [RESULT]]'
        stop 2
    end if
    call set_defaults(s)
    call read_parameters(s, trim(parameters), failed)
    if (failed) then
        write (error_unit, '(a)') trim(s%message)
        stop 2
    end if
    call simulate(s)
    write (*, '(a)') '${name}: '//trim(s%message)
    if (s%rows_unit == 0) stop 1
    call write_result(s, trim(result), failed)
    if (failed) then
        write (error_unit, '(a)') trim(s%message)
        stop 2
    end if
    write (*, '(3(i0, a), f0.6, 2a)') s%steps, ' steps, ', s%rejected, ' rejected, ', s%evaluations, ' evaluations, ', &
        s%seconds, ' s: ', trim(result)
    if (s%status < 0) stop 1
end program ${name}_main
