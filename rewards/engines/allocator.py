"""What the allocator of glibc does with memory that is freed: it keeps it or gives it back."""

import ctypes
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of malloc.h
ALL = 2**31 - 1
_kept = 0


def keep_freed(most: int) -> None:
    """Keep freed pieces of at most so many bytes for the next use, and twice as much in all.

    To ask the system for them again takes longer than many a use. It holds for the whole process,
    and no later call makes it less. Without glibc nothing happens.
    """
    global _kept
    if most > _kept and sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(M_MMAP_THRESHOLD, most)
        libc.mallopt(M_TRIM_THRESHOLD, min(2 * most, ALL))
        _kept = most


def give_back() -> None:
    """Give what is freed so far back to the system, if it was to be kept.

    Pieces of many sizes pile up, since none of them fits the next use.
    """
    if _kept and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
