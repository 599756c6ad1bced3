"""Names that a language must not give to its predicates."""

_BUILT_IN = """
abolish acyclic_term asserta assertz at_end_of_stream atom atom_chars atom_codes atom_length
atomic call callable char_code char_conversion clause close compound copy_term
current_char_conversion current_input current_output current_predicate current_prolog_flag
discontiguous dynamic float flush_output get_byte get_char get_code ground halt initialization
integer is keysort length message_queue_create message_queue_destroy message_queue_property
multifile mutex_create mutex_destroy mutex_lock mutex_property mutex_trylock mutex_unlock nl
nonvar number number_chars number_codes once peek_byte peek_char peek_code phrase
predicate_property put_byte put_char put_code read read_term retract retractall set_input
set_output set_prolog_flag set_stream_position sort stream_property subsumes_term term_variables
thread_detach thread_get_message thread_peek_message thread_property thread_self
thread_send_message thread_signal throw unify_with_occurs_check var with_mutex write
write_canonical write_term writeq
"""
"""Predicates of one or two arguments that SWI-Prolog does not let a program define."""

_USED_BY_RULES = """
append between delete dif fail false findall flatten forall holds_somewhere holds_throughout
ignore is_list is_set last list_to_ord_set list_to_set max_list max_member member memberchk
min_list min_member mod msort not permutation plus predsort reverse select subset succ sum_list
sumlist true
"""
"""Library predicates, control constructs and helpers that rules call, or that models often do."""

RESERVED = frozenset((_BUILT_IN + _USED_BY_RULES).split())
