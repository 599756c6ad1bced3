"""Confine a process, then become it: the launcher of a worker.

Run as ``python -I -S confinement.py ADDRESS_SPACE_MB CPU_SECONDS COMMAND ...``. Resource limits
hold on every Unix. On Linux the process also gives up new privileges, and on x86-64 and AArch64
a seccomp filter leaves it nothing but reading files, memory, clocks, pipes and forking: no
thread, socket, write-open, rename, unlink, signal to others or sleep. Where the filter is missing,
or the kernel refuses it, the sandbox and the resource limits remain; a refusal is told on standard
error.

The limits are set here, between fork and exec of the launcher, because a ``preexec_fn`` may
deadlock in a process with threads such as a trainer.
"""

import ctypes
import os
import platform
import resource
import struct
import sys

_NO_NEW_PRIVS, _SECCOMP, _FILTER_MODE = 38, 22, 2
_ALLOW, _KILL, _EPERM = 0x7FFF0000, 0x80000000, 0x00050001
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_MAX_FILES = 24

# Numbers of the system calls that a reader of files needs, from the kernel's tables.
_X86_64 = [
    *(0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),  # read write close *stat poll lseek mmap..brk
    *(13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25, 28),  # signals ioctl pread *v pipe select
    *(32, 33, 39, 59, 60, 61, 63, 72, 79, 89),  # dup getpid execve exit wait4 uname fcntl
    *(97, 98, 99, 100, 102, 104, 107, 108, 110),  # limits, usage, identity
    *(131, 157, 158, 186, 202, 204, 217, 218, 219),  # sigaltstack prctl gettid futex getdents
    *(222, 223, 226, 228, 229, 231, 262, 267, 269, 270, 271, 273),  # timers exit_group
    *(293, 302, 318, 332, 334, 439),  # pipe2 prlimit getrandom statx rseq faccessat2
]
_AARCH64 = [
    *(17, 23, 24, 25, 29, 48, 57, 59, 61, 62, 63, 64, 65, 66, 67),  # dup fcntl ioctl pipe2 read...
    *(72, 73, 78, 79, 80, 93, 94, 96, 98, 99),  # pselect ppoll *stat exit futex
    *(107, 108, 110, 111, 113, 114, 122, 124),  # timers, clocks, sched
    *(132, 134, 135, 139, 153, 160, 163, 165, 167),  # signals times uname limits prctl
    *(172, 173, 174, 175, 176, 177, 178, 179, 214, 215, 216, 221, 222, 226, 233),  # identity, mm
    *(260, 261, 278, 291, 293, 439),  # wait4 prlimit getrandom statx rseq faccessat2
]
_THREADS = 0xFFFFFFFF & ~0x012000FF  # all flags of clone but those of fork
# machine: (audit architecture, allowed calls, {call: (index of its flags argument, those refused)})
TABLES = {
    "x86_64": (0xC000003E, _X86_64, {257: (2, _WRITING), 2: (1, _WRITING), 56: (0, _THREADS)}),
    "aarch64": (0xC00000B7, _AARCH64, {56: (2, _WRITING), 220: (0, _THREADS)}),
}


def _seccomp_program(machine: str) -> bytes:
    """Return the filter in the kernel's classic BPF; what is not allowed fails with EPERM."""
    architecture, allowed, flagged = TABLES[machine]
    # Of each instruction: its code, how far to jump if it holds and if not, and its operand.
    program = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL)]
    program.append((_LOAD, 0, 0, 0))
    for call, (index, refused) in flagged.items():
        program += [(_EQUAL, 0, 4, call), (_LOAD, 0, 0, 16 + 8 * index)]
        program += [(_ANY_BIT, 0, 1, refused), (_RETURN, 0, 0, _EPERM), (_RETURN, 0, 0, _ALLOW)]
    for call in allowed:
        program += [(_EQUAL, 0, 1, call), (_RETURN, 0, 0, _ALLOW)]
    program.append((_RETURN, 0, 0, _EPERM))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _limit_resources(address_space_mb: int, cpu_seconds: int) -> None:
    limits = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)]
    limits += [(resource.RLIMIT_NOFILE, _MAX_FILES), (resource.RLIMIT_CPU, cpu_seconds)]
    if sys.platform == "linux":  # macOS refuses a limit on the address space
        limits.append((resource.RLIMIT_AS, address_space_mb << 20))
    for name, value in limits:
        _, allowed = resource.getrlimit(name)
        limit = value if allowed == resource.RLIM_INFINITY else min(value, allowed)
        resource.setrlimit(name, (limit, limit))


def _drop_privileges() -> None:
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0):
        _tell_refusal("PR_SET_NO_NEW_PRIVS")
    if platform.machine() not in TABLES:
        return
    code = _seccomp_program(platform.machine())
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _FilterProgram(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    if libc.prctl(_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0):
        _tell_refusal("PR_SET_SECCOMP")


def _tell_refusal(option: str) -> None:
    reason = os.strerror(ctypes.get_errno())
    print(f"The kernel refused prctl({option}): {reason}.", file=sys.stderr, flush=True)


if __name__ == "__main__":
    _, address_space_mb, cpu_seconds, *command = sys.argv
    _limit_resources(int(address_space_mb), int(cpu_seconds))
    _drop_privileges()
    os.execv(command[0], command)
