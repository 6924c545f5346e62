! Parameter files: lines NAME = VALUE [UNIT], with # before comments. Nothing in them is evaluated.

subroutine set_defaults(s)
    type(simulation), intent(inout) :: s
    integer :: k
    s%p = 0
    s%d = 0
    s%method = default_method
    s%happened = 0
    s%held_count = 0
    s%rows_unit = 0
    do k = 0, quantity_count - 1
        call set_quantity(s, k, quantity_values(k))
    end do
end subroutine set_defaults

subroutine set_quantity(s, k, value)
    type(simulation), intent(inout) :: s
    integer, intent(in) :: k
    real(dp), intent(in) :: value
    select case (quantity_kinds(k))
    case ('p')
        s%p(quantity_indices(k)) = real(value, rk)
    case ('d')
        s%d(quantity_indices(k)) = real(value, rk)
    case ('x')
        s%start(quantity_indices(k)) = real(value, rk)
    case default
        s%settings(quantity_indices(k)) = value
    end select
end subroutine set_quantity

! The characters of a decimal number at the start of a text: 12, -0.5, 1e-3; 0 if there is none.
function number_length(text) result(k)
    character(len=*), intent(in) :: text
    integer :: k, digits, last
    k = 0
    if (scan(character_at(text, 1), '+-') == 1) k = 1
    digits = digits_at(text, k + 1)
    k = k + digits
    if (character_at(text, k + 1) == '.') then
        last = digits_at(text, k + 2)
        digits = digits + last
        k = k + last + 1
    end if
    if (digits == 0) then
        k = 0
        return
    end if
    if (scan(character_at(text, k + 1), 'eE') == 1) then
        last = k + 1
        if (scan(character_at(text, last + 1), '+-') == 1) last = last + 1
        digits = digits_at(text, last + 1)
        if (digits > 0) k = last + digits
    end if
end function number_length

function character_at(text, k) result(c)
    character(len=*), intent(in) :: text
    integer, intent(in) :: k
    character :: c
    c = ' '
    if (k <= len(text)) c = text(k:k)
end function character_at

! How many digits a text has from a place on.
function digits_at(text, first) result(count)
    character(len=*), intent(in) :: text
    integer, intent(in) :: first
    integer :: count
    count = 0
    do while (scan(character_at(text, first + count), '0123456789') == 1)
        count = count + 1
    end do
end function digits_at

subroutine fail_line(s, path, line, what, detail, more)
    type(simulation), intent(inout) :: s
    character(len=*), intent(in) :: path, what, detail, more
    integer, intent(in) :: line
    character(len=12) :: number
    write (number, '(i0)') line
    s%message = path//':'//trim(number)//': '//what//''''//trim(detail)//''''//more
end subroutine fail_line

! A line of a parameter file; "user" says in which set of units numbers without one are, "given" what was set.
subroutine read_line(s, path, line, text, user, given, failed)
    type(simulation), intent(inout) :: s
    character(len=*), intent(in) :: path
    integer, intent(in) :: line
    character(len=*), intent(inout) :: text
    logical, intent(inout) :: user, given(0:), failed
    character(len=len(text)) :: name, value, unit
    real(dp) :: number, factor
    integer :: k, equals, length, set, u, status
    failed = .true.
    do k = 1, len(text)
        if (text(k:k) == char(9) .or. text(k:k) == char(13)) text(k:k) = ' '
    end do
    k = index(text, '#')
    if (k > 0) text(k:) = ' '
    text = adjustl(text)
    if (text == ' ') then
        failed = .false.
        return
    end if
    equals = index(text, '=')
    if (equals == 0) then
        call fail_line(s, path, line, 'NAME = VALUE [UNIT] is needed, not ', text, '')
        return
    end if
    name = text(:equals - 1)
    value = adjustl(text(equals + 1:))
    if (name == 'units') then
        user = value == 'user'
        failed = .not. (user .or. value == 'si')
        if (failed) call fail_line(s, path, line, 'units is si or user, not ', value, '')
        return
    end if
    if (name == 'run.method') then
        s%method = merge(method_rk4, method_dopri5, value == 'rk4')
        failed = .not. (value == 'rk4' .or. value == 'dopri5')
        if (failed) call fail_line(s, path, line, 'run.method is dopri5 or rk4, not ', value, '')
        return
    end if
    k = 0
    do while (k < quantity_count)
        if (name == quantity_names(k)) exit
        k = k + 1
    end do
    if (k == quantity_count) then
        call fail_line(s, path, line, 'there is no ', name, '; the file that was exported lists all names')
        return
    end if
    if (given(k)) then
        call fail_line(s, path, line, '', name, ' is given twice')
        return
    end if
    given(k) = .true.
    length = number_length(value)
    if (length == 0) then
        call fail_line(s, path, line, '', value, ' is not a number')
        return
    end if
    read (value(:length), *, iostat=status) number
    unit = adjustl(value(length + 1:))
    set = quantity_sets(k)
    if (unit == ' ') then
        factor = merge(unit_factors(user_units(set)), 1.0_dp, user)
    else
        do u = unit_sets(set), unit_sets(set + 1) - 1
            if (unit == unit_names(u)) exit
        end do
        if (u == unit_sets(set + 1)) then
            call fail_line(s, path, line, '', unit, ' is no unit of '//trim(name)//', which is in ' &
                //trim(unit_names(unit_sets(set))))
            return
        end if
        factor = unit_factors(u)
    end if
    if (status /= 0 .or. .not. is_finite(number*factor)) then
        call fail_line(s, path, line, '', value, ' is too large')
        return
    end if
    call set_quantity(s, k, number*factor)
    failed = .false.
end subroutine read_line

subroutine check_settings(s, path, failed)
    type(simulation), intent(inout) :: s
    character(len=*), intent(in) :: path
    logical, intent(out) :: failed
    character(len=100) :: what
    associate (v => s%settings)
        what = ' '
        if (.not. v(end_of_run) > start_of_run) then
            what = 'run.end must be later than the start'
        else if (.not. (v(row_count) >= 1 .and. v(row_count) <= 1e9_dp .and. aint(v(row_count)) == v(row_count))) then
            what = 'run.rows must be a whole number from 1 on'
        else if (s%method == method_rk4 .and. .not. v(step_size) > 0) then
            what = 'run.method = rk4 needs a positive run.step'
        else if (.not. (v(rtol_of_run) >= 0 .and. v(atol_of_run) > 0)) then
            what = 'run.rtol must not be negative, and run.atol must be positive'
        else if (.not. (v(first_size) >= 0 .and. v(largest_size) >= 0 .and. v(most_steps) >= 0)) then
            what = 'run.first_step, run.max_step and run.max_steps must not be negative'
        end if
    end associate
    associate (seed => s%d(seed_place))
        if (has_seed .and. .not. (seed >= 0 .and. seed < 281474976710656.0_dp .and. aint(seed) == seed)) &
            what = 'run.seed must be a whole number from 0 to below 2^48'
    end associate
    failed = what /= ' '
    if (failed) s%message = path//': '//what
end subroutine check_settings

! Reads a parameter file; where it fails, s%message says what is wrong in which line.
subroutine read_parameters(s, path, failed)
    type(simulation), intent(inout) :: s
    character(len=*), intent(in) :: path
    logical, intent(out) :: failed
    character(len=401) :: text
    logical :: user, given(0:quantity_count - 1)
    integer :: file, line, status
    open (newunit=file, file=path, status='old', action='read', iostat=status)
    failed = status /= 0
    if (failed) then
        s%message = path//': the parameter file cannot be opened'
        return
    end if
    given = .false.
    user = .false.
    line = 0
    do while (.not. failed)
        read (file, '(a)', iostat=status) text
        if (status /= 0) exit
        line = line + 1
        if (text(400:) /= ' ') then
            call fail_line(s, path, line, '', 'the line', ' is too long')
            failed = .true.
        else
            call read_line(s, path, line, text, user, given, failed)
        end if
    end do
    close (file)
    if (.not. failed .and. status > 0) then
        call fail_line(s, path, line, '', 'the file', ' cannot be read')
        failed = .true.
    end if
    if (.not. failed) call check_settings(s, path, failed)
end subroutine read_parameters

! The integrator: steps of the methods, projection to the constraints, saved rows, events, samples. A step's size is
! controlled as by E. Hairer, S. P. Norsett, G. Wanner: Solving Ordinary Differential Equations I, II.4.

elemental function is_finite(x) result(yes)
    real(dp), intent(in) :: x
    logical :: yes
    yes = abs(x) <= huge(x)
end function is_finite

function finite_row(x) result(yes)
    real(rk), intent(in) :: x(0:n - 1)
    logical :: yes
    yes = all(abs(x) <= huge(x))
end function finite_row

elemental function sign_of(x) result(sign)
    real(dp), intent(in) :: x
    integer :: sign
    sign = 0
    if (x > 0) sign = 1
    if (x < 0) sign = -1
end function sign_of

function inside(s, t) result(at)
    type(simulation), intent(in) :: s
    real(dp), intent(in) :: t
    real(rk) :: at
    at = real(min(max(t, s%low), s%high), rk)
end function inside

! The derivative at a time, on this side of the next break point.
subroutine evaluate(s, t, x, out)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: t
    real(rk), intent(in) :: x(0:n - 1)
    real(rk), intent(out) :: out(0:n - 1)
    call rates(s, inside(s, t), x, out)
    s%evaluations = s%evaluations + 1
end subroutine evaluate

subroutine normalise(x)
    real(rk), intent(inout) :: x(0:n - 1)
    integer :: k, i
    do k = 0, quaternion_count - 1
        i = quaternions(k)
        x(i:i + 3) = x(i:i + 3)/sqrt(x(i)*x(i) + x(i + 1)*x(i + 1) + (x(i + 2)*x(i + 2) + x(i + 3)*x(i + 3)))
    end do
end subroutine normalise

! Moves a state to the constraints at a time; fails where it does not converge, or is moved by more than so many
! tolerances.
subroutine project(s, t, row, far, failed)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: t, far
    real(rk), intent(inout) :: row(0:n - 1)
    logical, intent(out) :: failed
    real(rk) :: before(0:n - 1), corrected(0:n - 1)
    real(dp) :: scale, size
    logical :: active, moving, lost
    integer :: calls, i
    failed = .false.
    if (.not. projects) return
    before = row
    active = .true.
    lost = .false.
    do calls = 1, most_calls
        moving = .false.
        scale = merge(last_call, 1.0_dp, calls == most_calls)
        if (calls > 1) then
            where (is_speed /= 0) row = before
        end if
        call correct(s, inside(s, t), row, corrected)
        s%projections = s%projections + 1
        call normalise(corrected)
        do i = 0, n - 1
            size = abs(corrected(i))
            if (is_speed(i) == 0) then
                if (.not. abs(corrected(i) - row(i)) <= scale*(s%near(i) + s%near_rel(i)*size)) moving = .true.
            else if (.not. abs(corrected(i) - row(i)) <= infinity) then
                moving = .true.
            end if
            if (.not. abs(corrected(i) - before(i)) <= &
                far*(s%absolute(i) + s%relative(i)*size)) lost = .true.
            row(i) = corrected(i)
        end do
        active = moving .and. .not. lost
        if (.not. active) exit
    end do
    failed = active .or. lost
    if (failed) row = before
end subroutine project

function weight(s, i, size) result(value)
    type(simulation), intent(in) :: s
    integer, intent(in) :: i
    real(dp), intent(in) :: size
    real(dp) :: value
    value = 1/(s%absolute(i) + s%relative(i)*size)
end function weight

! The square of the error.
function error_of(s) result(error)
    type(simulation), intent(in) :: s
    real(dp) :: error, part
    integer :: i
    error = 0
    do i = 0, n - 1
        part = (${dopri5_error})*(1/(s%absolute(i) + s%relative(i)*max(abs(s%x(i)), abs(s%y(i)))))
        error = error + part*part
    end do
    error = s%size*s%size*(error*(1.0_dp/n))
end function error_of

! What of it remains along the constraints.
subroutine find_error_along(s, error)
    type(simulation), intent(inout) :: s
    real(dp), intent(out) :: error
    real(dp) :: part
    real(rk) :: h
    logical :: failed
    integer :: i
    h = real(s%size, rk)
    do i = 0, n - 1
        s%trial(i) = s%y(i) + h*(${dopri5_error})
    end do
    call project(s, s%t1, s%trial, infinity, failed)
    error = 0
    do i = 0, n - 1
        part = (s%trial(i) - s%y(i))*(1/(s%absolute(i) + s%relative(i)*max(abs(s%x(i)), abs(s%y(i)))))
        error = error + part*part
    end do
    error = error*(1.0_dp/n)
end subroutine find_error_along

! A step: the new state y and the derivative there, k(:, 6); the square of its error, NaN where it failed.
subroutine attempt_dopri5(s, error)
    type(simulation), intent(inout) :: s
    real(dp), intent(out) :: error
    real(dp) :: along
    real(rk) :: h
    logical :: off, failed
    integer :: i
    h = real(s%size, rk)
${dopri5_stages}
    do i = 0, n - 1
        s%y(i) = s%x(i) + h*(${dopri5_new})
    end do
    call normalise(s%y)
    call project(s, s%t1, s%y, merge(s%far_stagewise, s%far, s%stagewise), off)
    call evaluate(s, s%t1, s%y, s%k(:, 6))
    error = error_of(s)
    s%across = 0
    if (s%stagewise) then
        call find_error_along(s, along)
        if (.not. finite_row(s%k(:, 6))) along = nan
        s%across = error
        error = merge(along*s%relax, along, along*100 <= error)
    end if
    s%off = off .and. error <= 1
    if (s%off) error = nan
end subroutine attempt_dopri5

subroutine attempt_rk4(s, error)
    type(simulation), intent(inout) :: s
    real(dp), intent(out) :: error
    real(rk) :: h
    integer :: i
    h = real(s%size, rk)
${rk4_stages}
    do i = 0, n - 1
        s%y(i) = s%x(i) + h*(${rk4_new})
    end do
    call normalise(s%y)
    s%across = 0
    call project(s, s%t1, s%y, infinity, s%off)
    call evaluate(s, s%t1, s%y, s%k(:, 6))
    error = 0
    if (s%off .or. .not. finite_row(s%y) .or. .not. finite_row(s%k(:, 6))) error = nan
end subroutine attempt_rk4

! The interpolation between x and y: x + theta (r1 + (1 - theta) (r2 + theta (r3 + (1 - theta) r4))).
subroutine prepare(s)
    type(simulation), intent(inout) :: s
    real(rk) :: h, change, bend
    integer :: i
    h = real(s%size, rk)
    do i = 0, n - 1
        change = s%y(i) - s%x(i)
        bend = h*s%k(i, 0) - change
        s%r(i, 0) = s%x(i)
        s%r(i, 1) = change
        s%r(i, 2) = bend
        s%r(i, 3) = change - h*s%k(i, 6) - bend
        s%r(i, 4) = 0
        if (s%method /= method_rk4) s%r(i, 4) = h*(${dopri5_dense})
    end do
end subroutine prepare

function time_at(s, theta) result(t)
    type(simulation), intent(in) :: s
    real(dp), intent(in) :: theta
    real(dp) :: t
    t = s%t + theta*s%size
    if (theta >= 1) t = s%t1
end function time_at

! The state at a fraction of the step, projected to the constraints.
subroutine state_at(s, theta)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: theta
    real(rk) :: a, b
    logical :: failed
    if (theta >= 1) then
        s%out = s%y
        return
    end if
    a = real(theta, rk)
    b = 1 - a
    s%out = s%r(:, 0) + a*(s%r(:, 1) + b*(s%r(:, 2) + a*(s%r(:, 3) + b*s%r(:, 4))))
    call normalise(s%out)
    call project(s, time_at(s, theta), s%out, infinity, failed)
end subroutine state_at

! How far the derivative at an interpolated state is from the slope of the interpolation.
subroutine find_defect(s, t, theta, total)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: t, theta
    real(dp), intent(out) :: total
    real(dp) :: out, a, b, c, d, dc, db, da, part
    integer :: i
    call evaluate(s, t, s%out, s%rate)
    out = 1 - theta
    total = 0
    do i = 0, n - 1
        d = s%r(i, 4)
        c = s%r(i, 3) + out*d
        b = s%r(i, 2) + theta*c
        a = s%r(i, 1) + out*b
        dc = -d
        db = c + theta*dc
        da = -b + out*db
        part = (s%size*s%rate(i) - (a + theta*da))*weight(s, i, abs(real(s%out(i), dp)))
        total = total + part*part
    end do
    total = total*(1.0_dp/n)
end subroutine find_defect

function norm(s, a) result(value)
    type(simulation), intent(in) :: s
    real(rk), intent(in) :: a(0:n - 1)
    real(dp) :: value, part
    integer :: i
    value = 0
    do i = 0, n - 1
        part = a(i)*weight(s, i, abs(real(s%x(i), dp)))
        value = value + part*part
    end do
    value = sqrt(value*(1.0_dp/n))
end function norm

! The size of the first step, from one more evaluation.
subroutine find_first_step(s, most, size)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: most
    real(dp), intent(out) :: size
    real(dp) :: d0, d1, d2, guess, bend, curved
    d0 = norm(s, s%x)
    d1 = norm(s, s%k(:, 0))
    if (d0 <= 1e-5_dp .or. d1 <= 1e-5_dp) then
        guess = min(1e-6_dp, most)
    else
        guess = min(0.01_dp*d0/d1, most)
    end if
    s%trial = s%x + real(guess, rk)*s%k(:, 0)
    call normalise(s%trial)
    call evaluate(s, s%t + guess, s%trial, s%k(:, 1))
    d2 = norm(s, s%k(:, 1) - s%k(:, 0))/guess
    bend = max(d1, d2)
    if (bend <= 1e-15_dp) then
        curved = max(1e-6_dp, guess*1e-3_dp)
    else
        curved = (0.01_dp/bend)**merge(0.25_dp, 0.2_dp, s%method == method_rk4)
    end if
    size = min(merge(min(100*guess, curved), 1e-3_dp*guess, abs(d2) < 1e300_dp), most)
end subroutine find_first_step

function min_step(s) result(size)
    type(simulation), intent(in) :: s
    real(dp) :: size
    size = max(s%smallest, 2.2e-15_dp*abs(s%t))
end function min_step

function max_step(s) result(size)
    type(simulation), intent(in) :: s
    real(dp) :: size
    size = merge(s%settings(largest_size), infinity, s%settings(largest_size) > 0)
end function max_step

! The next size after a step with this square of an error.
subroutine find_next_size(s, square, accepted, size)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: square
    logical, intent(in) :: accepted
    real(dp), intent(out) :: size
    real(dp) :: level, raw, factor
    level = -1000
    if (square > 0) level = min(0.5_dp*log(square)/log(2.0_dp), 1000.0_dp)
    raw = -${exponent}*level
    if (accepted) then
        factor = min(2**min(raw + ${beta}*s%memory, 900.0_dp)*${safety}, ${largest})
        s%memory = max(level, log(1e-4_dp)/log(2.0_dp))
    else
        factor = ${smallest}
        if (square == square) factor = 2**raw*${safety}
    end if
    size = s%size*max(factor, ${smallest})
end subroutine find_next_size

! Saved rows

subroutine save_row(s, t, x)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: t
    real(rk), intent(in) :: x(0:n - 1)
    if (s%rows_unit /= 0) write (s%rows_unit, pos=1 + s%saved*bytes_of_row) t, x
    s%last_saved = t
    s%saved = s%saved + 1
end subroutine save_row

subroutine save_event(s, t, event, before, after)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: t
    integer, intent(in) :: event
    real(rk), intent(in) :: before(0:n - 1), after(0:n - 1)
    if (s%rows_unit /= 0) write (s%events_unit) t, real(event, dp), before, after, s%d(held_places(0:held_size - 1))
    s%happened = s%happened + 1
end subroutine save_event

! What is held from this time on.
subroutine save_held(s)
    type(simulation), intent(inout) :: s
    if (s%rows_unit /= 0) write (s%held_unit) s%t, s%d(held_places(0:held_size - 1))
    s%held_count = s%held_count + 1
end subroutine save_held

function saved_time(s, k) result(t)
    type(simulation), intent(in) :: s
    integer(int64), intent(in) :: k
    real(dp) :: t
    t = s%settings(end_of_run)
    if (real(k, dp) < s%settings(row_count)) t = start_of_run + real(k, dp)*((t - start_of_run)/s%settings(row_count))
end function saved_time

function pending(s, t) result(yes)
    type(simulation), intent(in) :: s
    real(dp), intent(in) :: t
    logical :: yes
    yes = real(s%saved, dp) <= s%settings(row_count) .and. saved_time(s, s%saved) <= t
end function pending

! Saves the rows up to a fraction of the step; not where one of them contradicts the equations.
subroutine save_rows(s, stop, agrees)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: stop
    logical, intent(out) :: agrees
    real(dp) :: t, theta, end, defect
    logical :: judged
    agrees = .true.
    end = time_at(s, stop)
    judged = s%method /= method_rk4 .and. s%far < infinity .and. s%size*0.25_dp > min_step(s)
    do while (pending(s, end))
        t = saved_time(s, s%saved)
        theta = (t - s%t)/s%size
        if (t == end) theta = stop
        call state_at(s, theta)
        if (judged .and. theta < 1) then
            call find_defect(s, t, theta, defect)
            if (defect > 1e8_dp) then
                agrees = .false.
                return
            end if
        end if
        call save_row(s, t, s%out)
    end do
end subroutine save_rows

! Events: zeros of the conditions. The sign of a condition that has just happened is not known, and is taken from the
! interpolation a little later.

subroutine watch_at(s, theta, out)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: theta
    real(rk), intent(out) :: out(0:event_room - 1)
    call state_at(s, theta)
    call conditions(s, real(time_at(s, theta), rk), s%out, out)
end subroutine watch_at

subroutine find_signs(s)
    type(simulation), intent(inout) :: s
    integer :: i
    call conditions(s, real(s%t, rk), s%x, s%g0)
    do i = 0, event_count - 1
        s%sign(i) = sign_of(real(s%g0(i), dp))
        if (s%when(i) == s%t) s%sign(i) = 0
    end do
end subroutine find_signs

! Where between two fractions of the step a condition crosses zero, by false position (Anderson and Bjorck).
subroutine locate(s, i, left, right, high)
    type(simulation), intent(inout) :: s
    integer, intent(in) :: i
    real(dp), intent(in) :: left, right
    real(dp), intent(out) :: high
    real(dp) :: low, g_low, g_high, width, theta, g, line, share, smallest
    logical :: third, slow
    integer :: tries
    low = left
    high = right
    g_low = s%g0(i)
    g_high = s%g1(i)
    width = 2
    do tries = 0, 199
        if (.not. (high - low > same*high .and. g_high /= 0)) exit
        smallest = 0.5_dp*same*high
        line = (low*g_high - high*g_low)/(g_high - g_low)
        third = mod(tries, 3) == 2
        slow = high - low > 0.5_dp*width
        if (third) width = high - low
        if ((third .and. slow) .or. line /= line) then
            theta = 0.5_dp*(low + high)
        else
            theta = max(min(line, high - smallest), low + smallest)
        end if
        call watch_at(s, theta, s%probe)
        g = s%probe(i)
        if (sign_of(g)*sign_of(g_high) >= 0) then
            share = 1 - g/g_high
            g_low = g_low*merge(share, 0.5_dp, share > 0)
            high = theta
            g_high = g
        else
            share = 1 - g/g_low
            g_high = g_high*merge(share, 0.5_dp, share > 0)
            low = theta
            g_low = g
        end if
    end do
end subroutine locate

! The last fraction at which a condition is a number; or, with "crossing", one at which it has crossed zero.
subroutine find_leaving(s, i, left, crossing, low)
    type(simulation), intent(inout) :: s
    integer, intent(in) :: i
    real(dp), intent(in) :: left
    logical, intent(in) :: crossing
    real(dp), intent(out) :: low
    real(dp) :: high, middle
    logical :: found
    integer :: before
    before = sign_of(real(s%g0(i), dp))
    low = left
    high = s%right
    found = .false.
    s%g1(i) = s%g0(i)
    do while (high - low > same*high .and. .not. found)
        middle = 0.5_dp*(low + high)
        call watch_at(s, middle, s%probe)
        if (s%probe(i) == s%probe(i)) then
            s%g1(i) = s%probe(i)
            low = middle
            found = crossing .and. before*directions(i) <= 0 .and. before /= 0 &
                .and. before*sign_of(real(s%probe(i), dp)) <= 0
        else
            high = middle
        end if
    end do
end subroutine find_leaving

! What happens in this part of the step, in order; the fraction at which the first event stops.
subroutine meet(s, stop)
    type(simulation), intent(inout) :: s
    real(dp), intent(out) :: stop
    real(dp) :: left, right, theta
    real(rk) :: start
    logical :: lost, crosses
    integer :: i, before, which
    stop = never
    if (any(s%sign(0:event_count - 1) == 0)) then
        call watch_at(s, s%left + 1e-6_dp, s%probe)
        where (s%sign == 0) s%g0 = s%probe
    end if
    do i = 0, event_count - 1
        left = merge(s%left + 1e-6_dp, s%left, s%sign(i) == 0)
        start = s%g0(i)
        lost = s%g1(i) /= s%g1(i) .and. start == start
        before = sign_of(real(start, dp))
        right = s%right
        s%hit(i) = never
        if (lost) call find_leaving(s, i, left, .true., right)
        crosses = before /= 0 .and. s%g1(i) == s%g1(i) .and. before*sign_of(real(s%g1(i), dp)) <= 0
        if (crosses .and. before*directions(i) <= 0) then
            call locate(s, i, left, right, s%hit(i))
            if (stopping(i) /= 0 .and. s%hit(i) < stop) then
                stop = s%hit(i)
                s%fired = i
                s%undefined = -1
            end if
            if (lost .and. right < stop) then
                theta = right
                call find_leaving(s, i, theta, .false., right)
            end if
        else if (start /= start) then
            right = s%left
        end if
        if ((lost .or. start /= start) .and. right < stop) then
            stop = right
            s%fired = i
            s%undefined = i
        end if
    end do
    do ! the times of all up to there, earliest first
        which = minloc(s%hit(0:event_count - 1), 1) - 1
        if (.not. (s%hit(which) < never .and. s%hit(which) <= stop + same)) exit
        theta = min(s%hit(which), stop)
        s%hit(which) = never
        s%when(which) = time_at(s, theta)
        if (stopping(which) == 0) then
            call state_at(s, theta)
            s%log_t(s%log_count) = s%when(which)
            s%log_event(s%log_count) = which
            s%log_x(:, s%log_count) = s%out
            s%log_count = s%log_count + 1
        end if
    end do
end subroutine meet

subroutine search(s, stop)
    type(simulation), intent(inout) :: s
    real(dp), intent(out) :: stop
    integer :: k, i
    stop = never
    s%left = 0
    s%undefined = -1
    do k = 1, 5
        s%right = k/5.0_dp
        call watch_at(s, s%right, s%g1)
        if (any([(s%sign(i)*sign_of(real(s%g1(i), dp)) <= 0, i=0, event_count - 1)])) call meet(s, stop)
        s%g0 = s%g1
        s%sign = sign_of(real(s%g1, dp))
        s%left = s%right
        if (stop <= 1) exit
    end do
end subroutine search

! A time for a message, with six digits.
function shown(t) result(text)
    real(dp), intent(in) :: t
    character(len=24) :: text
    integer :: k
    write (text, '(g0.6)') t
    k = len_trim(text)
    if (index(text, '.') > 0 .and. scan(text, 'E') == 0) then
        do while (text(k:k) == '0')
            text(k:k) = ' '
            k = k - 1
        end do
        if (text(k:k) == '.') text(k:k) = ' '
    end if
    if (text(1:1) == '.') text = '0'//text(:23)
end function shown

! The events that happen now: resets one after another, and the end by a terminal one.
subroutine apply_events(s, happens)
    type(simulation), intent(inout) :: s
    logical, intent(in) :: happens(0:event_room - 1)
    real(rk) :: state(0:n - 1), after(0:n - 1)
    character(len=24) :: time
    logical :: failed
    integer :: i
    state = s%x
    time = shown(s%t)
    do i = 0, event_count - 1
        if (s%status /= 0) exit
        if (.not. happens(i)) cycle
        s%repeats(i) = merge(s%repeats(i) + 1, 0, abs(s%t - s%repeated(i)) <= 1e-10_dp*max(1.0_dp, abs(s%t)))
        s%repeated(i) = s%t
        if (s%repeats(i) >= 3) then
            s%status = -1
            s%message = 'at t = '//trim(time)//' s event '''//trim(event_names(i))// &
                ''' happens again and again without time passing'
        end if
        after = state
        if (resets(i) /= 0) then
            call reset(s, i, real(s%t, rk), state, after)
            call normalise(after)
            failed = .not. finite_row(after)
            if (.not. failed) call project(s, s%t, after, infinity, failed)
            if (failed) then
                s%status = -1
                s%message = 'event '''//trim(event_names(i))//''' at t = '//trim(time)//' s sets a state that is not' &
                    //' finite, or from which the constraints cannot be reached'
            end if
        end if
        call save_event(s, s%t, i, state, after)
        state = after
        if (terminal(i) /= 0 .and. s%status == 0) then
            s%status = 1
            s%message = 'event '''//trim(event_names(i))//''' ended the run at t = '//trim(time)//' s'
        end if
    end do
    s%x = state
    if (sample_count > 0) call save_held(s)
    s%fresh = .true.
end subroutine apply_events

! The events that samples have carried to the zero of their condition or across it.
subroutine apply_carried(s, before)
    type(simulation), intent(inout) :: s
    real(rk), intent(in) :: before(0:event_room - 1)
    real(rk) :: after(0:event_room - 1)
    logical :: happens(0:event_room - 1)
    call conditions(s, real(s%t, rk), s%x, after)
    happens = (before < 0 .and. after >= 0 .and. directions >= 0) .or. &
        (before > 0 .and. after <= 0 .and. directions <= 0)
    if (.not. any(happens)) return
    where (happens) s%when = s%t
    call apply_events(s, happens)
end subroutine apply_carried

! Samples: at whole ticks of one clock they set what is held until the next one.

function next_sample(s) result(t)
    type(simulation), intent(in) :: s
    real(dp) :: t
    t = infinity
    if (sample_count > 0) t = real(s%tick, dp)/ticks_per_second
end function next_sample

! The samples that are due now, if any, each from what those before it have left. The integration starts again.
subroutine take_samples(s)
    type(simulation), intent(inout) :: s
    real(rk) :: values(0:sample_size - 1), before(0:event_room - 1)
    integer :: k, i
    if (s%status /= 0 .or. s%t /= next_sample(s)) return
    if (event_count > 0) call conditions(s, real(s%t, rk), s%x, before)
    do k = 0, sample_count - 1
        if (s%due(k) /= s%tick) cycle
        call find_sample(s, k, real(s%t, rk), s%x, values)
        do i = sample_starts(k), sample_starts(k + 1) - 1
            s%d(sample_places(i)) = values(i - sample_starts(k))
        end do
        s%due(k) = s%due(k) + periods(k)
    end do
    s%tick = minval(s%due)
    call find_breaks(s)
    call save_held(s)
    s%fresh = .true.
    if (event_count > 0) call apply_carried(s, before)
end subroutine take_samples

! Steps

! The derivative at a new state, and the size of the first step; fails if it is not finite.
subroutine restart(s, failed)
    type(simulation), intent(inout) :: s
    logical, intent(out) :: failed
    real(dp) :: h
    call evaluate(s, s%t, s%x, s%k(:, 0))
    failed = .not. (finite_row(s%x) .and. finite_row(s%k(:, 0)))
    if (failed) return
    s%memory = log(1e-4_dp)/log(2.0_dp)
    s%begun = s%t
    s%base = s%t
    s%ticks = 0
    s%again = .false.
    h = merge(s%settings(step_size), 0.0_dp, s%method == method_rk4)
    if (h <= 0) h = merge(s%h, s%settings(first_size), s%h > 0)
    if (h <= 0) call find_first_step(s, min(max_step(s), s%goal - s%t), h)
    s%h = max(min(h, max_step(s)), min_step(s))
    if (event_count > 0) call find_signs(s)
    s%fresh = .false.
end subroutine restart

! The end of a step, or the event at the fraction "stop" of it, as the new state.
subroutine accept(s, error, stop, status)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: error, stop
    integer, intent(out) :: status
    real(dp) :: wanted, passed
    status = done
    s%steps = s%steps + 1
    s%next = s%settings(step_size)
    if (s%method /= method_rk4) then
        call find_next_size(s, error, .true., wanted)
        if (s%again) wanted = min(wanted, s%size)
        if (s%last) wanted = max(wanted, s%h)
        s%next = max(min(wanted, max_step(s)), min_step(s))
        s%again = .false.
        if (s%across <= 1) s%stagewise = .false.
    end if
    if (stop <= 1) then
        call state_at(s, stop)
        s%x = s%out
        s%t = time_at(s, stop)
        s%fresh = .true.
        s%h = min(s%next, 2*abs(s%t - s%begun))
        status = merge(undefined_condition, stopped_by_event, s%undefined >= 0)
        return
    end if
    s%x = s%y
    s%k(:, 0) = s%k(:, 6)
    if (s%last) s%base = s%t1
    s%ticks = merge(0_int64, s%ticks + 1, s%last)
    s%t = s%t1
    s%h = s%next
    s%pace_left = s%pace_left - 1
    if (s%pace_left > 0) return
    passed = abs(s%t - s%pace_t)/s%pace_steps ! a window of steps is over: is the end in reach?
    if (passed <= 2*s%pace .and. s%pace_steps*abs(s%goal - s%t) > 1e17_dp*passed) then
        status = stalled
        return
    end if
    s%pace_t = s%t
    s%pace_steps = 2*s%pace_steps
    s%pace_left = s%pace_steps
    s%pace = passed
end subroutine accept

! One attempt to step, accepted or not.
subroutine take_step(s, status)
    type(simulation), intent(inout) :: s
    integer, intent(out) :: status
    real(dp) :: ahead, error, stop, smaller
    real(rk) :: g0(0:event_room - 1)
    real(dp) :: when(0:event_room - 1)
    integer :: sign(0:event_room - 1), k
    logical :: agrees, repeated
    status = done
    stop = never
    agrees = .true.
    ahead = s%goal - s%t
    s%last = s%h*(1 + 1e-6_dp) >= ahead
    s%size = merge(ahead, s%h, s%last)
    if (s%last) then
        s%t1 = s%goal
    else if (s%method == method_rk4) then
        s%t1 = s%base + real(s%ticks + 1, dp)*s%settings(step_size)
    else
        s%t1 = s%t + s%size
    end if
    if (s%t1 == s%t) then
        status = underflow
        return
    end if
    if (s%method == method_rk4) then
        call attempt_rk4(s, error)
    else
        call attempt_dopri5(s, error)
    end if
    if (.not. error <= 1) then
        repeated = projects .and. s%method /= method_rk4 .and. s%far < infinity .and. .not. s%stagewise
        repeated = repeated .and. (.not. error <= 100 .or. s%again)
        call find_next_size(s, error, .false., smaller)
        s%rejected = s%rejected + 1
        s%again = .true.
        if (.not. repeated .and. (smaller < min_step(s) .or. s%method == method_rk4)) then
            status = merge(underflow, not_finite, is_finite(error))
            if (s%off) status = off_constraints
        else if (repeated) then
            s%stagewise = .true.
        else
            s%h = smaller
        end if
        return
    end if
    if (event_count > 0 .or. pending(s, s%t1)) then
        call prepare(s)
        s%log_count = 0
        g0 = s%g0
        sign = s%sign
        when = s%when
        if (event_count > 0) call search(s, stop)
        call save_rows(s, min(stop, 1.0_dp), agrees)
    end if
    if (.not. agrees) then
        s%g0 = g0
        s%sign = sign
        s%when = when
        s%rejected = s%rejected + 1
        s%again = .true.
        s%h = max(s%size*0.25_dp, min_step(s))
        return
    end if
    if (event_count > 0) then
        do k = 0, s%log_count - 1
            call save_event(s, s%log_t(k), s%log_event(k), s%log_x(:, k), s%log_x(:, k))
        end do
    end if
    call accept(s, error, stop, status)
end subroutine take_step

! Integrates to a time, through all events on the way.
subroutine advance(s, end)
    type(simulation), intent(inout) :: s
    real(dp), intent(in) :: end
    real(dp) :: low, high, ahead, room
    logical :: failed
    character(len=24) :: time
    integer :: status, k
    s%smallest = max(1e-21_dp*max(abs(end), abs(s%t)), tiny(1.0_dp))
    call take_samples(s)
    do while (s%status == 0)
        status = done
        low = -infinity
        ahead = infinity
        if (s%method /= method_rk4) then ! steps end where laws of time jump or bend
            do k = 0, break_count - 1
                if (s%break_points(k) <= s%t) then
                    low = real(s%break_points(k), dp)
                else
                    ahead = min(ahead, real(s%break_points(k), dp))
                end if
            end do
        end if
        high = ahead
        room = infinity
        if (low > -infinity .and. high < infinity) room = (high - low)/4
        if (low > -infinity) low = low + min(max(1e-14_dp*abs(low), 1e-15_dp), room)
        if (high < infinity) high = high - min(max(1e-14_dp*abs(high), 1e-15_dp), room)
        if (low /= s%low .or. high /= s%high) s%fresh = .true.
        s%low = low
        s%high = high
        s%goal = min(end, ahead, next_sample(s))
        if (s%fresh) then
            call project(s, s%t, s%x, infinity, failed)
            if (failed) status = off_constraints
        end if
        do while (status == done .and. pending(s, s%t))
            call save_row(s, s%t, s%x)
        end do
        do while (status == done .and. s%goal > s%t)
            if (s%fresh) then
                call restart(s, failed)
                if (failed) status = not_finite
                if (failed) exit
            end if
            if (s%budget <= 0) then
                status = too_many
                exit
            end if
            s%budget = s%budget - 1
            call take_step(s, status)
        end do
        if (status == stopped_by_event) then
            call apply_events(s, stopping /= 0 .and. s%when == s%t)
            cycle
        end if
        if (status /= done) then
            s%status = -1
            time = shown(s%t)
            s%message = 'at t = '//trim(time)//' s: '//failures(status)
        end if
        call take_samples(s)
        if (s%t >= end) exit
    end do
end subroutine advance

subroutine begin_simulation(s)
    type(simulation), intent(inout) :: s
    real(dp) :: a, b, tight
    integer :: i
    call compute_constants(s)
    call find_breaks(s)
    s%x = s%start
    call normalise(s%x)
    s%t = start_of_run
    s%status = 0
    s%saved = 0
    s%happened = 0
    s%steps = 0
    s%rejected = 0
    s%evaluations = 0
    s%projections = 0
    s%ticks = 0
    s%h = 0
    s%size = 0
    s%across = 0
    s%off = .false.
    s%fresh = .true.
    s%last = .false.
    s%again = .false.
    s%stagewise = .false.
    s%log_count = 0
    s%undefined = -1
    s%fired = 0
    s%low = nan
    s%high = nan
    s%budget = huge(s%budget)
    if (s%settings(most_steps) > 0 .and. s%settings(most_steps) < 1e18_dp) s%budget = int(s%settings(most_steps), int64)
    s%pace_t = s%t
    s%pace_steps = 1e5_dp
    s%pace_left = s%pace_steps
    s%pace = 0
    tight = infinity
    do i = 0, n - 1
        a = s%settings(atol_of_run)*atol_each(i)
        b = s%settings(rtol_of_run)*rtol_each(i)
        s%absolute(i) = a
        s%relative(i) = b
        s%near(i) = near_part*a + 1e-14_dp
        s%near_rel(i) = near_part*b + 1e-14_dp
        tight = min(tight, a + b)
    end do
    s%far = merge(infinity, far_limit, s%method == method_rk4)
    s%far_stagewise = merge(infinity, max(far_limit, 1e-6_dp/tight), s%method == method_rk4)
    s%relax = min(1.0_dp, tight/1e-10_dp)**2
    s%when = nan
    s%repeated = nan
    s%repeats = 0
    s%sign = 0
    s%g0 = 0
    s%g1 = 0
    s%hit = never
    s%held_count = 0
    s%due = first_ticks
    s%tick = minval(s%due)
    if (sample_count > 0) call save_held(s)
    s%message = 'reached the end'
end subroutine begin_simulation

! Integrates from the start to the end.
subroutine simulate(s)
    type(simulation), intent(inout) :: s
    real(dp) :: began, ended
    integer :: status
    if (s%rows_unit == 0) then
        open (newunit=s%rows_unit, status='scratch', access='stream', form='unformatted', iostat=status)
        if (status == 0) open (newunit=s%events_unit, status='scratch', access='stream', form='unformatted', iostat=status)
        if (status == 0) open (newunit=s%held_unit, status='scratch', access='stream', form='unformatted', iostat=status)
        if (status /= 0) then
            s%rows_unit = 0
            s%status = -1
            s%message = 'no temporary file can be opened for the rows'
            return
        end if
    end if
    rewind (s%events_unit)
    rewind (s%held_unit)
    call cpu_time(began)
    call begin_simulation(s)
    call advance(s, s%settings(end_of_run))
    call cpu_time(ended)
    s%seconds = ended - began
    if (s%saved > 0 .and. s%last_saved == s%t) then ! the last row is the state in which the motion ended
        s%saved = s%saved - 1
        call save_row(s, s%t, s%x)
    else if (real(s%saved, dp) <= s%settings(row_count)) then
        call save_row(s, s%t, s%x)
    end if
end subroutine simulate

! Results

! The quaternion of a rotation matrix, from the largest of its components.
subroutine find_quaternion(R, q)
    real(rk), intent(in) :: R(0:8)
    real(rk), intent(out) :: q(0:3)
    real(rk) :: a(0:3), rows(0:3, 0:3)
    integer :: k
    a = [1 + R(0) + R(4) + R(8), 1 + R(0) - R(4) - R(8), 1 - R(0) + R(4) - R(8), 1 - R(0) - R(4) + R(8)]
    rows(:, 0) = [a(0), R(7) - R(5), R(2) - R(6), R(3) - R(1)]
    rows(:, 1) = [R(7) - R(5), a(1), R(1) + R(3), R(2) + R(6)]
    rows(:, 2) = [R(2) - R(6), R(1) + R(3), a(2), R(5) + R(7)]
    rows(:, 3) = [R(3) - R(1), R(2) + R(6), R(5) + R(7), a(3)]
    k = maxloc(a, 1) - 1
    q = rows(:, k)/sqrt(sum(rows(:, k)*rows(:, k)))
end subroutine find_quaternion

! All that is recorded of a state.
subroutine find_values(s, t, x, values)
    type(simulation), intent(in) :: s
    real(dp), intent(in) :: t
    real(rk), intent(in) :: x(0:n - 1)
    real(rk), intent(out) :: values(0:record_size - 1)
    real(rk) :: poses(0:12*body_count), energy(0:1), at(0:0)
    integer :: k, first
    at(0) = real(t, rk)
    values(0:n - 1) = x
${record_call}
    values(energy_place:energy_place + 2) = [energy(0), energy(1), energy(0) + energy(1)]
    do k = 0, body_count - 1
        first = pose_place + 7*k
        values(first:first + 2) = poses(12*k + 9:12*k + 11)
        call find_quaternion(poses(12*k:12*k + 8), values(first + 3:first + 6))
    end do
    values(held_place:held_place + held_size - 1) = s%d(held_places(0:held_size - 1))
end subroutine find_values

! NetCDF (the classic format with offsets of 64 bits): big-endian numbers, names and texts padded to 4 bytes. Without a
! unit, what is written is only counted.
subroutine put(o, text)
    type(output), intent(inout) :: o
    character(len=*), intent(in) :: text
    if (o%unit /= 0) write (o%unit, iostat=o%status) text
    if (o%status /= 0) o%failed = .true.
    o%count = o%count + len(text)
end subroutine put

subroutine put_integer(o, value, bytes)
    type(output), intent(inout) :: o
    integer(int64), intent(in) :: value
    integer, intent(in) :: bytes
    character(len=bytes) :: text
    integer :: k
    do k = 1, bytes
        text(k:k) = char(int(iand(ishft(value, -8*(bytes - k)), 255_int64)))
    end do
    call put(o, text)
end subroutine put_integer

subroutine put_number(o, value)
    type(output), intent(inout) :: o
    real(dp), intent(in) :: value
    call put_integer(o, transfer(value, 0_int64), 8)
end subroutine put_number

subroutine put_row(o, row)
    type(output), intent(inout) :: o
    real(rk), intent(in) :: row(:)
    integer :: k
    do k = 1, size(row)
        call put_number(o, real(row(k), dp))
    end do
end subroutine put_row

subroutine put_padding(o, length)
    type(output), intent(inout) :: o
    integer(int64), intent(in) :: length
    call put(o, repeat(char(0), int(modulo(-length, 4_int64))))
end subroutine put_padding

subroutine put_text(o, text)
    type(output), intent(inout) :: o
    character(len=*), intent(in) :: text
    call put_integer(o, len(text, int64), 4)
    call put(o, text)
    call put_padding(o, len(text, int64))
end subroutine put_text

subroutine put_attribute(o, name, text)
    type(output), intent(inout) :: o
    character(len=*), intent(in) :: name, text
    call put_text(o, name)
    call put_integer(o, 2_int64, 4) ! characters
    call put_text(o, text)
end subroutine put_attribute

! What this run has found, between the pieces of what freebody knows of it.
subroutine put_fact(s, o, what)
    type(simulation), intent(in) :: s
    type(output), intent(inout) :: o
    integer, intent(in) :: what
    character(len=40) :: text
    select case (what)
    case (-1)
        write (text, '(i0)') s%status
    case (-2)
        call put(o, '"'//trim(s%message)//'"')
        return
    case (-3)
        text = merge('"rk4"   ', '"dopri5"', s%method == method_rk4)
    case (-4)
        write (text, '(i0)') s%steps
    case (-5)
        write (text, '(i0)') s%rejected
    case (-6)
        write (text, '(i0)') s%evaluations
    case (-7)
        write (text, '(i0)') s%projections
    case (-8)
        write (text, '(es14.6e3)') s%seconds
    case default
        write (text, '(es24.16e3)') s%p(what)
    end select
    call put(o, trim(adjustl(text)))
end subroutine put_fact

subroutine put_variable(o, name, first, second, key, unit, about, size, begin)
    type(output), intent(inout) :: o
    character(len=*), intent(in) :: name, key, unit, about
    integer, intent(in) :: first, second
    integer(int64), intent(in) :: size
    integer(int64), intent(inout) :: begin
    integer :: attributes
    attributes = count([len(key), len(unit), len(about)] > 0)
    call put_text(o, name)
    call put_integer(o, merge(2_int64, 1_int64, second >= 0), 4)
    call put_integer(o, int(first, int64), 4)
    if (second >= 0) call put_integer(o, int(second, int64), 4)
    call put_integer(o, merge(12_int64, 0_int64, attributes > 0), 4)
    call put_integer(o, int(attributes, int64), 4)
    if (len(key) > 0) call put_attribute(o, 'key', key)
    if (len(unit) > 0) call put_attribute(o, 'units', unit)
    if (len(about) > 0) call put_attribute(o, 'long_name', about)
    call put_integer(o, 6_int64, 4) ! double
    call put_integer(o, min(size, 4294967295_int64), 4)
    call put_integer(o, begin, 8)
    begin = begin + size
end subroutine put_variable

subroutine put_header(s, o, length)
    type(simulation), intent(in) :: s
    type(output), intent(inout) :: o
    integer(int64), intent(in) :: length
    type(output) :: counted
    integer(int64) :: begin, rows, steps
    integer :: held ! its dimension; that of the names of held values follows
    begin = length
    rows = 8*s%happened
    steps = 8*s%held_count
    held = dimension_count + merge(1, 0, rows > 0)
    call put_facts(s, counted)
    call put(o, 'CDF'//char(2))
    call put_integer(o, s%saved, 4)
    call put_integer(o, 10_int64, 4)
    call put_integer(o, int(held + merge(2, 0, steps > 0), int64), 4)
    call put_dimensions(o)
    if (rows > 0) then
        call put_text(o, 'event')
        call put_integer(o, s%happened, 4)
    end if
    if (steps > 0) then
        call put_text(o, 'held')
        call put_integer(o, s%held_count, 4)
        call put_text(o, 'switch')
        call put_integer(o, int(held_size, int64), 4)
    end if
    call put_integer(o, 12_int64, 4)
    call put_integer(o, 2_int64, 4)
    call put_attribute(o, 'title', title)
    call put_text(o, 'freebody')
    call put_integer(o, 2_int64, 4)
    call put_integer(o, counted%count, 4)
    call put_facts(s, o)
    call put_padding(o, counted%count)
    call put_integer(o, 11_int64, 4)
    call put_integer(o, variable_count + 2_int64 + merge(4, 0, rows > 0) + merge(2, 0, steps > 0) + &
        merge(2, 0, rows > 0 .and. steps > 0), 4)
    if (rows > 0) then
        call put_variable(o, 'event_time', dimension_count, -1, '', 's', '', rows, begin)
        call put_variable(o, 'event_index', dimension_count, -1, '', '', '', rows, begin)
        call put_variable(o, 'event_before', dimension_count, 1, '', '', '', n*rows, begin)
        call put_variable(o, 'event_after', dimension_count, 1, '', '', '', n*rows, begin)
        if (steps > 0) then
            call put_variable(o, 'event_switches_before', dimension_count, held + 1, '', '', '', held_size*rows, begin)
            call put_variable(o, 'event_switches_after', dimension_count, held + 1, '', '', '', held_size*rows, begin)
        end if
    end if
    if (steps > 0) then
        call put_variable(o, 'held_time', held, -1, '', 's', '', steps, begin)
        call put_variable(o, 'held_values', held, held + 1, '', '', '', held_size*steps, begin)
    end if
    call put_variable(o, 'time', 0, -1, '', 's', 'time', 8_int64, begin)
    call put_variable(o, 'x_dot', 0, 1, '', '', '', 8_int64*n, begin)
    call put_variables(o, begin)
end subroutine put_header

! The numbers of the events, one part after the other.
subroutine put_events(s, o)
    type(simulation), intent(in) :: s
    type(output), intent(inout) :: o
    real(dp) :: pair(0:1)
    real(rk) :: sides(0:n - 1, 0:1), held(0:held_size - 1)
    integer(int64) :: k
    integer :: part
    do part = 0, merge(5, 3, held_size > 0) ! time, index, state and held values before and after
        rewind (s%events_unit)
        do k = 1, s%happened
            read (s%events_unit) pair, sides, held
            if (part < 2) then
                call put_number(o, pair(part))
            else if (part < 4) then
                call put_row(o, sides(:, part - 2))
            else
                call put_row(o, held)
            end if
        end do
    end do
end subroutine put_events

subroutine put_held(s, o)
    type(simulation), intent(in) :: s
    type(output), intent(inout) :: o
    real(dp) :: t
    real(rk) :: held(0:held_size - 1)
    integer(int64) :: k
    integer :: part
    do part = 0, 1
        rewind (s%held_unit)
        do k = 1, s%held_count
            read (s%held_unit) t, held
            if (part == 0) call put_number(o, t)
            if (part == 1) call put_row(o, held)
        end do
    end do
end subroutine put_held

! Writes the saved rows; where that fails, s%message says why.
subroutine write_result(s, path, failed)
    type(simulation), intent(inout) :: s
    character(len=*), intent(in) :: path
    logical, intent(out) :: failed
    type(output) :: counted, o
    real(dp) :: t, held_time
    real(rk) :: x(0:n - 1), values(0:record_size - 1), turn(0:3, 0:body_count), held(0:held_size - 1)
    integer(int64) :: k, held_left
    integer :: v, b, first
    open (newunit=o%unit, file=path, status='replace', access='stream', form='unformatted', action='write', &
        iostat=o%status)
    failed = o%status /= 0
    if (failed) then
        s%message = path//': the file cannot be written'
        return
    end if
    call put_header(s, counted, 0_int64)
    call put_header(s, o, counted%count)
    if (s%happened > 0) call put_events(s, o)
    call put_held(s, o)
    rewind (s%held_unit)
    held_left = s%held_count
    if (held_left > 0) read (s%held_unit) held_time, held
    turn = 0
    do k = 0, s%saved - 1
        read (s%rows_unit, pos=1 + k*bytes_of_row) t, x
        do while (held_left > 0) ! what is held at this time
            if (held_time > t) exit
            s%d(held_places(0:held_size - 1)) = held
            held_left = held_left - 1
            if (held_left > 0) read (s%held_unit) held_time, held
        end do
        call find_values(s, t, x, values)
        do b = 0, body_count - 1 ! signs of quaternions change without a jump
            first = pose_place + 7*b + 3
            if (dot_product(turn(:, b), values(first:first + 3)) < 0) values(first:first + 3) = -values(first:first + 3)
            turn(:, b) = values(first:first + 3)
        end do
        call put_number(o, t)
        call put_row(o, values(n:2*n - 1))
        do v = 0, variable_count - 1
            call put_row(o, values(variable_starts(v):variable_starts(v) + variable_counts(v) - 1))
        end do
    end do
    close (o%unit, iostat=o%status)
    failed = o%failed .or. o%status /= 0
    if (failed) s%message = path//': the file cannot be written whole'
end subroutine write_result
