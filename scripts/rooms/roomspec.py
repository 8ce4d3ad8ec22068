# SPDX-License-Identifier: GPL-2.0-only
"""What goes where: the tables of roomify.py.

A new file of kernel/trace/lkst needs a line in MOVE (or SPLIT) and in OBJECTS. A new name
in a file that is split needs its name in SPLIT. A new section of lkst.h needs a line in
HEADERS, and one of record.h in HEADER_NAMES. Tests (*_test.c) need nothing.
"""
import re

# === Rooms ===

ROOMS = {
    'record': 'event table, clocks, layout and text of a record',
    'buffer': 'blocks and rings, named buffers, reading',
    'hook': 'what a hook calls: dispatch, guard, keys, stacks',
    'policy': 'masksets, handlers, expressions, actions, jumps, snapshots',
    'crash': 'stop, directory, last records, memory that outlives a reset',
    'files': 'control files, one file a topic',
}

OBJECTS = {
    'record': [('y', ['event', 'clock', 'text'])],
    'buffer': [('y', ['ring', 'blocks', 'buffer', 'reader'])],
    'hook': [('y', ['hook', 'keys']), ('$(CONFIG_STACKTRACE)', ['stack'])],
    'policy': [('y', ['handler', 'maskset', 'start', 'jump']),
               ('y', ['parse', 'match', 'action', 'notify'])],
    'crash': [('y', ['directory', 'persist', 'previous', 'last', 'crash'])],
    'files': [('y', ['files', 'error_log', 'status', 'events', 'masksets', 'handlers']),
              ('y', ['buffers', 'per_cpu', 'trace', 'marker', 'notify', 'previous', 'control'])],
}

TOP_MAKEFILE = '''#
# The rooms of LKST, the lowest first. A room calls those above it in this list and none
# below: what must go down the list goes through a pointer that the other room sets at
# start. "make lint" of the series looks at the objects' symbols.

'''
FLAGS_COMMENT = '''#
# What each room's Makefile includes, for such variables are a folder's own. A tracer must
# not be traced, sanitized or covered by what it may be called from.

'''
FOLDER_FLAGS = (
    'ccflags-remove-$(CONFIG_FUNCTION_TRACER) += $(CC_FLAGS_FTRACE)',
    'KCOV_INSTRUMENT := n',
    'UBSAN_SANITIZE := n',
    'KMSAN_SANITIZE := n',
    'GCOV_PROFILE := n',
)
OBJECT_FLAGS = {
    'KCSAN_SANITIZE_hook.o := n': [('hook', 'KCSAN_SANITIZE_hook.o := n')],
    'KCSAN_SANITIZE_buffer.o := n': [('buffer', 'KCSAN_SANITIZE_%s.o := n' % o)
                                     for o in ('ring', 'blocks', 'buffer')],
    'KCSAN_SANITIZE_clock.o := n': [('record', 'KCSAN_SANITIZE_clock.o := n')],
    'KASAN_SANITIZE_hook.o := n': [('hook', 'KASAN_SANITIZE_hook.o := n')],
    'CFLAGS_hook.o += -fno-stack-protector -DDISABLE_BRANCH_PROFILING':
        [('hook', 'CFLAGS_hook.o += -fno-stack-protector -DDISABLE_BRANCH_PROFILING')],
    'CFLAGS_buffer.o += -DDISABLE_BRANCH_PROFILING':
        [('buffer', 'CFLAGS_%s.o += -DDISABLE_BRANCH_PROFILING' % o)
         for o in ('ring', 'buffer')],
    'CFLAGS_benchmark_test.o += -I$(src)': [('tests', 'CFLAGS_benchmark_test.o += -I$(src)')],
}
FLAG_COMMENTS = {
    'CFLAGS_hook.o += -fno-stack-protector -DDISABLE_BRANCH_PROFILING':
        '# No canary: the entries save what they use, and no more.\n',
    'CFLAGS_benchmark_test.o += -I$(src)':
        '# <trace/define_trace.h> looks for the header that it is included by.\n',
}

# === Files that move as they are ===

STAY = ('Kconfig', '.kunitconfig', 'Makefile')
MOVE = {
    'event.c': 'record/event.c',
    'clock.c': 'record/clock.c',
    'text.c': 'record/text.c',
    'reader.c': 'buffer/reader.c',
    'stack.c': 'hook/stack.c',
    'maskset.c': 'policy/maskset.c',
    'parse.c': 'policy/parse.c',
    'match.c': 'policy/match.c',
    'action.c': 'policy/action.c',
    'crash.c': 'crash/crash.c',
    'last.c': 'crash/last.c',
    'persist.c': 'crash/persist.c',
    'trace.c': 'files/trace.c',
    'test.c': 'tests/test.c',
    'test.h': 'tests/test.h',
    'torture.c': 'tests/torture.c',
    'benchmark_trace.h': 'tests/benchmark_trace.h',
}
UPPER = '../crash/crash.h|../policy/policy.h'
PRIVATE_ROOM = {
    'record': ['record.h'],
    'buffer': ['buffer.h', 'write.h'],
    'hook': ['hook.h'],
    'policy': ['policy.h'],
    'crash': ['crash.h'],
    'files': ['files.h'],
    'tests': ['test.h'],
}
PRIVATE = {
    'policy/maskset.c': ['../buffer/write.h', 'policy.h'],
    'crash/last.c': ['../buffer/write.h', 'crash.h'],
    'tests/test.h': [UPPER],
    'tests/event_test.c': [UPPER],
    'tests/match_test.c': ['../policy/policy.h'],
}

# === C files that are split ===

SPLIT_ORDER = ('buffer.c', 'hook.c', 'handler.c', 'start.c', 'jump.c', 'notify.c', 'directory.c',
               'previous.c', 'control.c')
SPLIT = {
    'buffer.c': {
        'buffer/ring.c': '''lkst_cpu lkst_slot_tag lkst_take lkst_taken lkst_whole lkst_is_open
            lkst_next_slot lkst_recycle lkst_lost_total lkst_open lkst_close lkst_unreserve
            lkst_tell lkst_tell_lost lkst_name_arg lkst_tell_buffer lkst_shift lkst_advance
            lkst_make_room lkst_write_own lkst_owner lkst_buffer_init'''.split(),
        'buffer/blocks.c':
            ['lkst_memory', 'lkst_alloc_block', 'lkst_free_block', 'lkst_free_slot',
             'lkst_new_slot', 'lkst_memory_available', 'lkst_free_slots', 'lkst_alloc_slots',
             'lkst_new_cpu_buffer', 'lkst_free_cpu_buffer', 'struct lkst_resize',
             'lkst_do_resize', 'lkst_resize_cpu', 'lkst_resize_cpu_wait', 'lkst_buffer_resize',
             'lkst_buffer_memory'],
        'buffer/buffer.c': ['LKST_MIN_BLOCK', 'lkst_mutex', 'lkst_buffers', 'lkst_buffer_current',
                            'lkst_buffer_parse_size', 'lkst_synchronize', 'struct lkst_on_cpu',
                            'lkst_run_on_cpu', 'lkst_on_cpu', 'lkst_block_size',
                            'lkst_buffer_check_size', 'lkst_cpu_buffer_unread',
                            'lkst_buffer_free', 'lkst_buffer_find', 'lkst_buffer_new',
                            'lkst_buffer_create', 'lkst_buffer_of_cpu', 'lkst_do_jump',
                            'lkst_buffer_switch', 'lkst_jump_tell', 'lkst_jump_offline',
                            # Until patch 38 moves them to jump.c.
                            'lkst_buffer_get', 'lkst_buffer_put', 'lkst_jump_quietly',
                            'lkst_buffer_jump_offline', 'lkst_buffer_jump',
                            'lkst_buffer_delete', 'lkst_buffer_link', 'lkst_do_clear',
                            'lkst_forget_reading', 'LKST_MAX_AGE', 'lkst_is_old', 'lkst_do_age',
                            'lkst_buffers_age', 'lkst_buffer_clear', 'struct lkst_rotate',
                            'lkst_give', 'lkst_do_rotate', 'lkst_rename_blocks',
                            'lkst_buffer_rotate', 'lkst_buffer_stats'],
        'policy/start.c': ['LKST_MAIN', 'MODULE_PARAM_PREFIX', 'lkst_buffer_size',
                           'lkst_set_buffer_size', 'lkst_buffer_size_ops', 'lkst_buffer_main'],
        None: ['=== Writing ===', '=== Changing buffers while they are written ==='],
    },
    'hook.c': {
        'hook/hook.c': ['lkst_nothing', 'lkst_table', 'lkst_instances', 'lkst_own_instance',
                        '=== Handlers ===', 'LKST_GUARD_TRANSITION', 'lkst_guard_enter',
                        'lkst_call_handler', '=== Entries ===', 'lkst_preempt', 'static_assert',
                        'lkst_write', 'lkst_hit', '__lkst_hook0', '__lkst_hook1', '__lkst_hook2',
                        '__lkst_hook3', '__lkst_hook4', '__lkst_str', 'lkst_record',
                        'lkst_hook_set_instance', 'lkst_tracing'],
        'hook/keys.c': ['lkst_armed', '=== Which hooks are on ===', 'lkst_arm_one',
                        'lkst_in_modules', 'for_each_lkst_site', 'lkst_compare_sites',
                        'lkst_arm_all', 'lkst_arm', '=== Where they are ===', 'lkst_entry_is',
                        'lkst_walk_sites', 'lkst_hook_sites', 'lkst_hook_print_sites'],
    },
    'handler.c': {'default': 'policy/handler.c'},
    'start.c': {'default': 'policy/start.c'},
    'jump.c': {'default': 'policy/jump.c'},
    'directory.c': {'default': 'crash/directory.c'},
    'notify.c': {
        'policy/notify.c': ['LKST_NOTICES', 'lkst_notices', 'lkst_notices_head',
                            'lkst_notices_tail', 'lkst_notices_lost', 'lkst_notify_wait',
                            'lkst_notify_wake', 'lkst_notify_work', 'lkst_notify',
                            'lkst_notify_next'],
        'policy/policy.h': ['LKST_NOTICE_TEXT', 'struct lkst_notice'],
        'files/notify.c': ['LKST_NOTICE_LINE', 'lkst_notices_told', 'lkst_notify_mutex',
                           'lkst_notify_any', 'lkst_notify_line', 'lkst_notify_format',
                           'lkst_notify_copy', 'lkst_notify_read', 'lkst_notify_poll',
                           'lkst_notify_write', 'lkst_notify_fops'],
    },
    'previous.c': {
        'crash/crash.h': ['LKST_PREVIOUS_NAMES', 'struct lkst_previous_line',
                          'struct lkst_previous_text'],
        'files/previous.c': ['LKST_LINE', 'lkst_previous_start', 'lkst_previous_next',
                             'lkst_previous_stop', 'lkst_previous_header', 'lkst_previous_show',
                             'lkst_previous_seq_ops', 'lkst_previous_open',
                             'lkst_previous_release', 'lkst_previous_trace_fops',
                             'lkst_previous_core_read', 'lkst_previous_core_fops',
                             'lkst_previous_add_files'],
        None: ['=== Files ==='],
        'default': 'crash/previous.c',
    },
    'control.c': {
        'files/files.c': ['lkst_files_mutex', 'lkst_file_show', 'lkst_file_open',
                          'lkst_file_write', 'lkst_file_fops', 'lkst_file_mode',
                          'lkst_add_files', 'lkst_word_of', 'lkst_delete_write',
                          'lkst_check_name'],
        'files/files.h': ['struct lkst_file', 'struct lkst_node'],
        'files/error_log.c': ['LKST_ERRORS', 'LKST_ERROR_LEN', 'lkst_errors', 'lkst_nr_errors',
                              'lkst_writing', 'lkst_errname', 'lkst_note_writing',
                              'lkst_refuse', 'lkst_refuse_size', 'lkst_error_log_show',
                              'lkst_error_log_store'],
        'files/status.c': ['lkst_readme_show', 'lkst_version_show', 'lkst_add_stats',
                           'lkst_print_stats', 'lkst_print_sample', 'lkst_status_show',
                           'lkst_reach', 'lkst_print_reach', 'lkst_print_reaches',
                           'lkst_enable_show', 'lkst_enable_store', 'lkst_enable_store_sync',
                           'lkst_clock_show', 'lkst_clock_store'],
        'files/events.c': ['lkst_events_show', 'lkst_etypes_show', 'lkst_hooks_show',
                           # Before the directory had it.
                           'lkst_etypes', 'lkst_etypes_size'],
        'files/masksets.c': ['lkst_masksets_dir', 'lkst_maskset_show', 'lkst_maskset_store',
                             'struct lkst_edit', 'LKST_EDIT_MAX', 'LKST_EDIT_CUT',
                             'lkst_maskset_listed', 'lkst_maskset_file_show',
                             'lkst_maskset_file_open', 'lkst_maskset_file_release',
                             'lkst_edit_undo', 'lkst_edit_parse', 'lkst_edit_apply',
                             'lkst_maskset_file_write', 'lkst_maskset_file_fops',
                             'lkst_add_maskset_file', 'lkst_masksets_create_store',
                             'lkst_maskset_unlink', 'lkst_maskset_free_obj',
                             'lkst_masksets_delete_write', 'lkst_masksets_delete_fops',
                             'lkst_maskset_store_sync', 'lkst_masksets_create'],
        'files/handlers.c': ['lkst_handlers_dir', 'lkst_instance_id_show',
                             'lkst_instance_users_show', 'lkst_instance_handler_show',
                             'lkst_instance_files', 'struct lkst_setup',
                             'lkst_instance_control_show', 'lkst_instance_control_open',
                             'lkst_instance_control_release', 'lkst_instance_result_show',
                             'lkst_instance_result_open', 'lkst_refuse_at',
                             'lkst_instance_store', 'lkst_setup_append', 'lkst_setup_apply',
                             'lkst_setup_undo', 'lkst_instance_control_write',
                             'lkst_instance_result_write', 'lkst_instance_control_fops',
                             'lkst_instance_result_fops', 'lkst_control_add_instance',
                             'lkst_control_remove_instance', 'lkst_handlers_create',
                             'lkst_handlers_create_write', 'lkst_handlers_create_fops',
                             'lkst_instance_unlink', 'lkst_instance_free_obj',
                             'lkst_handlers_delete_write', 'lkst_handlers_delete_fops'],
        'files/buffers.c': ['lkst_buffers_dir', 'lkst_buffer_show', 'lkst_buffer_named',
                            'lkst_buffer_store', 'lkst_parse_size', 'lkst_buffer_size_show',
                            'lkst_buffer_size_store', 'lkst_buffer_mode_show',
                            'lkst_buffer_mode_store', 'lkst_buffer_next_show',
                            'lkst_buffer_next_store', 'lkst_buffer_stats_show',
                            'lkst_buffer_files', 'struct lkst_buffer_dir',
                            'lkst_add_buffer_cpus', 'lkst_add_buffer_dir',
                            'lkst_remove_buffer_dir', 'lkst_control_sync_buffers',
                            'lkst_buffers_create_store', 'lkst_buffer_unlink',
                            'lkst_buffer_free_obj', 'lkst_buffers_delete_write',
                            'lkst_buffers_delete_fops', 'lkst_buffers_create_store_sync',
                            'lkst_buffers_create'],
        'files/per_cpu.c': ['lkst_cpu_buffer_show', 'lkst_cpu_buffer_store',
                            'lkst_cpu_stats_show', 'lkst_cpu_files', 'lkst_add_cpu_dir'],
        'files/marker.c': ['LKST_MARKER_TEXT', 'LKST_MARKER_MAX', 'lkst_marker_write',
                           'lkst_marker_fops'],
        'files/control.c': ['lkst_all'],
        'policy/handler.c': ['lkst_control_name_taken'],
        None: ['lkst_root', '=== error_log ===', '=== Files of one value or one list ===',
               '=== README, version, status ===', '=== enable, clock ===',
               '=== events, etypes, hooks ===', '=== events, hooks ===',
               '=== maskset, masksets/ ===',
               '=== Deleting: see the top of this file ===', '=== handlers/ ===',
               '=== buffer, buffers/ ===', '=== per_cpu/cpuN/ ===', '=== marker ===',
               '=== All of them ==='],
    },
}
# The second is put behind the first where it gets.
AFTER = {
    ('control.c', 'lkst_control_name_taken'): 'lkst_name_valid',
}

# Statics that other files of the room use: the header and the section that declares them.
BUFFER = 'buffer/buffer.h'
FILES = 'files/files.h'
EXPORT = {
    'lkst_recycle': (BUFFER, 'ring.c'),
    'lkst_close': (BUFFER, 'ring.c'),
    'lkst_memory_available': (BUFFER, 'blocks.c'),
    'lkst_new_cpu_buffer': (BUFFER, 'blocks.c'),
    'lkst_free_cpu_buffer': (BUFFER, 'blocks.c'),
    'lkst_on_cpu': (BUFFER, 'buffer.c'),
    'lkst_notify_wait': ('policy/policy.h', 'notify.c'),
    'lkst_notify_next': ('policy/policy.h', 'notify.c'),
    'lkst_previous_get_text': ('crash/crash.h', 'previous.c'),
    'lkst_files_mutex': (FILES, 'files.c'),
    'lkst_add_files': (FILES, 'files.c'),
    'lkst_word_of': (FILES, 'files.c'),
    'lkst_delete_write': (FILES, 'files.c'),
    'lkst_check_name': (FILES, 'files.c'),
    'lkst_note_writing': (FILES, 'error_log.c'),
    'lkst_refuse': (FILES, 'error_log.c'),
    'lkst_refuse_size': (FILES, 'error_log.c'),
    'lkst_print_stats': (FILES, 'status.c'),
    'lkst_reach': (FILES, 'status.c'),
    'lkst_print_reach': (FILES, 'status.c'),
    'lkst_buffer_named': (FILES, 'buffers.c'),
    'lkst_control_sync_buffers': (FILES, 'buffers.c'),
    'lkst_marker_fops': (FILES, 'marker.c'),
}
INLINE = {
    'lkst_owner': ('buffer/write.h', ''),
    'lkst_whole': ('buffer/write.h', ''),
    'lkst_is_open': ('buffer/write.h', ''),
    'lkst_name_arg': ('buffer/buffer.h', 'buffer.c'),
}
SECTION = {
    'LKST_NOTICE_TEXT': 'notify.c',
    'struct lkst_notice': 'notify.c',
    'LKST_PREVIOUS_NAMES': 'previous.c',
    'struct lkst_previous_line': 'previous.c',
    'struct lkst_previous_text': 'previous.c',
    'struct lkst_file': 'files.c',
    'struct lkst_node': 'files.c',
}

# === Pieces that are more than moved ===


def want(text, pattern, where, flags=re.M | re.S):
    m = re.search(pattern, text, flags)
    if not m:
        raise SystemExit('roomify: %s: there is no %s' % (where, pattern))
    return m


FILE_TOPICS = {
    'status': ['README', 'version', 'status', 'enable', 'clock'],
    'event': ['events', 'etypes', 'hooks'],
    'maskset': ['maskset'],
    'buffer': ['buffer'],
    'error': ['error_log'],
}
TOPIC_FILE = {'status': 'files/status.c', 'event': 'files/events.c',
              'maskset': 'files/masksets.c', 'buffer': 'files/buffers.c',
              'error': 'files/error_log.c'}


def files_table(rooms, chunk):
    """The table of all files becomes one a topic."""
    entries = re.findall(r'^\t\{ "(\w+)",.*?\},\n', chunk.text, re.M)
    lines = re.findall(r'^\t\{ "\w+",.*?\},\n', chunk.text, re.M)
    if chunk.text.count('\n') != len(lines) + 2:
        rooms.lost('control.c: lkst_files has more than lines of files')
    out = []
    for topic, names in FILE_TOPICS.items():
        mine = [l for n, l in zip(entries, lines) if n in names]
        entries_left = [n for n in entries if not any(n in t for t in FILE_TOPICS.values())]
        if entries_left:
            rooms.lost('control.c: lkst_files: no topic for %s' % entries_left)
        name = 'lkst_root_%s_files' % topic
        out.append((TOPIC_FILE[topic], 'static const struct lkst_file %s[] = {\n%s};\n' %
                    (name, ''.join(mine)), name, None))
    return out


INIT_NAME = {'status': 'lkst_add_status_files', 'event': 'lkst_add_event_files',
             'maskset': 'lkst_add_maskset_files', 'buffer': 'lkst_add_buffer_files',
             'error': 'lkst_add_error_files', 'handler': 'lkst_add_handler_files',
             'cpu': 'lkst_add_cpu_dirs'}
INIT_DOC = {
    'status': 'Make README, version, status, enable and clock',
    'event': 'Make events, etypes and hooks',
    'maskset': 'Make maskset and the folder masksets',
    'buffer': 'Make buffer and the folder buffers',
    'error': 'Make error_log',
    'handler': 'Make the folder handlers',
    'cpu': 'Make the folder per_cpu',
}


def control_init(rooms, chunk):
    """What makes all files is cut into what each topic makes."""
    body = want(chunk.text, r'\n\{\n(.*)\n\}\n', 'lkst_control_init').group(1)
    paragraphs = body.split('\n\n')[1:]
    parts = {}
    for p in paragraphs:
        first = p.strip().split('\n')
        head = first[1] if first[0].startswith('mutex_lock') else first[0]
        key = want(head, r'^\s*(\w+) = ', 'lkst_control_init').group(1)
        parts[key] = p.replace('lkst_root', 'root') + '\n'
    known = {'lkst_root', 'lkst_masksets_dir', 'lkst_buffers_dir', 'lkst_handlers_dir', 'per_cpu'}
    if set(parts) != known:
        rooms.lost('lkst_control_init: other parts: %s' % (set(parts) ^ known))
    root = parts['lkst_root']
    line = '\tlkst_add_files(root, lkst_files, ARRAY_SIZE(lkst_files), NULL);\n'
    if line not in root:
        rooms.lost('lkst_control_init: no lkst_add_files() of the root')
    calls = ''.join('\t%s(root);\n' % INIT_NAME[t] for t in
                    ('status', 'event', 'error', 'maskset', 'buffer', 'handler', 'cpu'))
    root = root.replace(line, calls)
    cpu = parts['per_cpu'].replace('\tmutex_unlock(&lkst_mutex);\n\treturn 0;\n', '')
    if 'mutex_unlock' in cpu:
        rooms.lost('lkst_control_init: another end')
    tail = want(chunk.text, r'\n\}\n(.*)$', 'lkst_control_init').group(1)
    out = [('files/control.c',
            'static int __init lkst_control_init(void)\n{\n\tstruct dentry *root;\n\n' + root +
            '\tmutex_unlock(&lkst_mutex);\n\treturn 0;\n}\n' + tail, 'lkst_control_init', None)]

    def init(topic, path, declarations, code):
        name = INIT_NAME[topic]
        text = ('/**\n * %s - %s\n * @root: the folder of LKST\n *\n'
                ' * Context: boot, lkst_mutex.\n */\n'
                'void __init %s(struct dentry *root)\n{\n%s%s}\n' %
                (name, INIT_DOC[topic], name, declarations, code))
        out.append((path, text, name, None))
        out.append(('files/files.h', 'void %s(struct dentry *root);\n' % name, name,
                    path.split('/')[1]))

    def table(topic):
        name = 'lkst_root_%s_files' % topic
        return '\tlkst_add_files(root, %s, ARRAY_SIZE(%s), NULL);\n' % (name, name)
    init('status', 'files/status.c', '', table('status'))
    init('event', 'files/events.c', '', table('event'))
    init('error', 'files/error_log.c', '', table('error'))
    init('maskset', 'files/masksets.c', '\tstruct lkst_maskset *maskset;\n\n',
         table('maskset') + parts['lkst_masksets_dir'])
    init('buffer', 'files/buffers.c', '', table('buffer') + parts['lkst_buffers_dir'])
    init('handler', 'files/handlers.c', '\tunsigned int id;\n\n', parts['lkst_handlers_dir'])
    init('cpu', 'files/per_cpu.c', '\tstruct dentry *per_cpu;\n\tint cpu;\n\n', cpu)
    return out


def previous_struct(rooms, chunk):
    """The structure is seen by the files; they keep their dentry themselves."""
    where = 'previous.c: lkst_previous'
    text = chunk.text
    m = want(text, r'^static (struct lkst_previous \{\n.*\n\}) lkst_previous;\n', where)
    body = m.group(1) + ';\n'
    if '\tstruct dentry *files;\n' not in body:
        rooms.lost(where + ': no files in it')
    body = body.replace('\tstruct dentry *files;\n', '')
    return [('crash/crash.h', text[:m.start()] +
             '/* What was found. What is not said otherwise stays as it is from the boot on. */\n' +
             body, 'struct lkst_previous', 'previous.c'),
            ('crash/crash.h', 'extern struct lkst_previous lkst_previous;\n',
             'lkst_previous', 'previous.c'),
            ('crash/previous.c', 'struct lkst_previous lkst_previous;\n', 'lkst_previous', None)]


def previous_free(rooms, chunk):
    text = chunk.text
    for line in ('\tdebugfs_remove(p->files);\n',
                 ' * Waits for who is reading: not under lkst_mutex, see lkst.h.\n *\n'):
        if line not in text:
            rooms.lost('previous.c: lkst_previous_free: no %r' % line)
        text = text.replace(line, '')
    if ' * Context: process.\n' not in text:
        rooms.lost('previous.c: lkst_previous_free: no context')
    text = text.replace(' * Context: process.\n',
                        ' * Context: process, without lkst_mutex. Its files are removed.\n')
    return [('crash/previous.c', text, 'lkst_previous_free', None)]


def previous_test(rooms, chunk):
    if '"previous_test.c"' not in chunk.text:
        rooms.lost('previous.c: another #ifdef CONFIG_LKST_KUNIT_TEST')
    return [('crash/previous.c', chunk.text.replace('"previous_test.c"',
                                                    '"../tests/previous_test.c"'),
             'previous_test', None)]


def flat_name_taken(rooms, chunk):
    return []


SPECIAL = {
    ('control.c', 'lkst_files'): files_table,
    ('control.c', 'lkst_control_init'): control_init,
    ('previous.c', 'lkst_previous'): previous_struct,
    ('previous.c', 'lkst_previous_free'): previous_free,
    ('previous.c', '#ifdef CONFIG_LKST_KUNIT_TEST'): previous_test,
}

# === Headers ===

RECORD = 'record/record.h'
HOOK = 'hook/hook.h'
POLICY = 'policy/policy.h'
CRASH = 'crash/crash.h'
WRITE = 'buffer/write.h'

# A header of old: where its sections go. None: to where HEADER_NAMES says.
HEADERS = {
    'lkst.h': {
        '': None,
        'event.c': (RECORD, 'event.c'),
        'clock.c': (RECORD, 'clock.c'),
        'text.c': (RECORD, 'text.c'),
        'buffer.c': (BUFFER, 'buffer.c'),
        'reader.c': None,
        'hook.c': (HOOK, 'hook.c'),
        'stack.c': (HOOK, 'stack.c'),
        'jump.c': (POLICY, 'jump.c'),
        'parse.c': (POLICY, 'parse.c'),
        'match.c': (POLICY, 'match.c'),
        'handler.c': (POLICY, 'handler.c'),
        'maskset.c': (POLICY, 'maskset.c'),
        'start.c': (POLICY, 'start.c'),
        'directory.c': (CRASH, 'directory.c'),
        'persist.c': (CRASH, 'persist.c'),
        'previous.c': (CRASH, 'previous.c'),
        'last.c': (CRASH, 'last.c'),
        'crash.c': (CRASH, 'crash.c'),
        'trace.c': (FILES, 'trace.c'),
        'control.c': (FILES, 'control.c'),
    },
    'record.h': {'': None},
    'trace.h': {'': (FILES, 'trace.c')},
}
HEADER_NAMES = {
    # lkst.h, before its sections
    'LKST_VERSION': (FILES, 'status.c'),
    'LKST_EV_OWN': (RECORD, 'event.c'),
    'LKST_MAX_EVENTS': (RECORD, 'event.c'),
    'LKST_HANDLER_NOTHING': (HOOK, 'hook.c'),
    'LKST_HANDLER_DEFAULT': (HOOK, 'hook.c'),
    'LKST_HANDLER_OWN': (HOOK, 'hook.c'),
    'LKST_MASKSET_RNOTHING': (POLICY, 'maskset.c'),
    'LKST_MASKSET_RALL': (POLICY, 'maskset.c'),
    'LKST_MASKSET_RDEFAULT': (POLICY, 'maskset.c'),
    'LKST_MASKSET_USER': (POLICY, 'maskset.c'),
    'lkst_mutex': (BUFFER, 'buffer.c'),
    # lkst.h: not where its section goes
    'lkst_record_size': (RECORD, 'A record'),
    'lkst_record_time': (RECORD, 'A record'),
    **{n: (BUFFER, 'reader.c') for n in (
        'lkst_copy', 'lkst_copy_sorted', 'lkst_unread', 'lkst_fill', 'lkst_drop_chunk',
        'lkst_span')},
    # lkst.h, format 2
    **{n: (RECORD, 'A record') for n in (
        'LKST_OWN_WORDS', 'LKST_MAX_RECORD', 'lkst_shape_nargs', 'LKST_SHAPE_SIZE',
        'lkst_shape_sizes', 'lkst_shape_size', 'lkst_record_stamp', 'lkst_record_event',
        'lkst_record_shape', 'lkst_record_pid', 'lkst_record_flags', 'lkst_put_args')},
    'lkst_take': (BUFFER, 'ring.c'),
    'lkst_taken': (BUFFER, 'ring.c'),
    'lkst_write_own': (BUFFER, 'ring.c'),
    'lkst_buffer_resize': (BUFFER, 'blocks.c'),
    'lkst_buffer_memory': (BUFFER, 'blocks.c'),
    'lkst_buffer_main': (POLICY, 'start.c'),
    'lkst_arm': (HOOK, 'keys.c'),
    'lkst_hook_sites': (HOOK, 'keys.c'),
    'lkst_hook_print_sites': (HOOK, 'keys.c'),
    'lkst_control_name_taken': (POLICY, 'handler.c'),
    'lkst_control_add_instance': (None, None),
    'lkst_control_remove_instance': (None, None),
    'lkst_previous_add_files': (FILES, 'previous.c'),
    # lkst.h: the structures of buffers come first
    'struct lkst_cpu': (BUFFER, 'Blocks, rings, buffers'),
    'lkst_cpu': (BUFFER, 'Blocks, rings, buffers'),
    'struct lkst_cursor': (BUFFER, 'Blocks, rings, buffers'),
    'struct lkst_slot': (BUFFER, 'Blocks, rings, buffers'),
    'struct lkst_slots': (BUFFER, 'Blocks, rings, buffers'),
    'struct lkst_cpu_buffer': (BUFFER, 'Blocks, rings, buffers'),
    'struct lkst_buffer': (BUFFER, 'Blocks, rings, buffers'),
    'struct lkst_stats': (BUFFER, 'Blocks, rings, buffers'),
    # trace.h
    'lkst_notify_fops': (FILES, 'notify.c'),
    'struct lkst_source': (FILES, 'trace.c'),
    # record.h: the words of a block, and places in it
    'LKST_COUNT_SHIFT': (WRITE, ''),
    'LKST_CLOSED': (WRITE, ''),
    'LKST_BYTES_MASK': (WRITE, ''),
    'LKST_MAX_BLOCK': (WRITE, ''),
    'lkst_bytes': (WRITE, ''),
    'lkst_count': (WRITE, ''),
    'lkst_one': (WRITE, ''),
    'lkst_word': (WRITE, ''),
    'lkst_seq_release': (WRITE, ''),
    'lkst_seq_acquire': (WRITE, ''),
    'lkst_word_add': (WRITE, ''),
    'lkst_call_room': (WRITE, ''),
    'struct lkst_miss': (WRITE, ''),
    'lkst_make_room': (WRITE, ''),
    'struct lkst_place': (WRITE, ''),
    'lkst_reserve': (WRITE, ''),
    'lkst_commit': (WRITE, ''),
    # record.h: when and in which context
    'lkst_call_void': (RECORD, 'clock.c'),
    'lkst_call_clock': (RECORD, 'clock.c'),
    'lkst_clock_tsc': (RECORD, 'clock.c'),
    'lkst_clock_other': (RECORD, 'clock.c'),
    'lkst_clock': (RECORD, 'clock.c'),
    'LKST_PC_NO_RESCHED': (RECORD, 'A record'),
    'LKST_PC_PLAIN': (RECORD, 'A record'),
    'lkst_preempt_count': (RECORD, 'A record'),
    'lkst_irqs_off': (RECORD, 'A record'),
    'lkst_flags': (RECORD, 'A record'),
    'lkst_flags_hooked': (RECORD, 'A record'),
    'lkst_stamp': (RECORD, 'A record'),
    'lkst_stamp_now': (RECORD, 'A record'),
    'lkst_context': (RECORD, 'A record'),
}
# Names that HEADER_NAMES does not have, in sections that have no place of their own.
HEADER_PATTERNS = [
    (r'lkst_(record|shape|arg|stamp|put)_\w+|LKST_(RECORD|SHAPE|ARG|STAMP|OWN)_\w+',
     (RECORD, 'A record')),
]


def locks(rooms):
    """The part of lkst.h's comment that is about locks, as it is at this commit."""
    m = re.search(r'^ \* Locks:\n(.*?)^ \*/$', rooms.old['lkst.h'], re.M | re.S)
    if not m:
        rooms.lost('lkst.h: no "Locks:" in the comment on top')
    return m.group(1)


def buffer_top(rooms):
    return '''/*
 * LKST's buffers: what the files of this room offer each other and the rooms above.
 * Nothing here knows of events, masksets, handlers or files.
 *
 * Locks, those of the rooms above included:
 *
''' + (''' *	lkst_files_mutex
 *			making and deleting what has files; taken first, see files/files.c
''' if 'control.c' in rooms.old else '') + locks(rooms).split(' *\n', 1)[1] + ' */\n'


def write_top(rooms):
    """That of record.h."""
    m = want(rooms.old['record.h'], r'^/\*\n.*?^ \*/\n', 'record.h')
    # The first is the licence's.
    text = rooms.old['record.h'].split('\n', 1)[1]
    return want(text, r'^/\*\n.*?^ \*/\n', 'record.h').group(0)


TSC = '''
#ifdef CONFIG_HAVE_ARCH_LKST_HOOK
#include <asm/tsc.h>
#endif
'''


def tsc(rooms):
    return TSC if 'include <asm/tsc.h>' in rooms.old.get('record.h', '') else ''


HEADER = {
    RECORD: {
        'from': ['lkst.h', 'record.h'],
        'top': '''/*
 * LKST's records: the table of events, the clocks, what a record looks like. A leaf: it
 * refers to no other room.
 */
''',
        'includes': ['linux/bitops.h', 'linux/bug.h', 'linux/kcsan-checks.h', 'linux/lkst.h',
                     'linux/preempt.h', 'linux/sched.h', 'linux/seq_buf.h', 'linux/threads.h',
                     'uapi/linux/lkst.h'],
        'extra': tsc,
        'private': [],
        'sections': ['event.c', 'clock.c', 'A record', 'text.c'],
    },
    BUFFER: {
        'from': ['lkst.h', 'record.h'],
        'top': buffer_top,
        'includes': ['linux/atomic.h', 'linux/list.h', 'linux/mutex.h', 'linux/percpu.h',
                     'asm/local.h'],
        'private': [('buffer', '../record/record.h')],
        'sections': ['Blocks, rings, buffers', 'ring.c', 'blocks.c', 'buffer.c', 'reader.c'],
    },
    WRITE: {
        'from': ['record.h'],
        'top': write_top,
        'includes': ['linux/bug.h'],
        'private': [('buffer', 'buffer.h')],
        'sections': [''],
    },
    HOOK: {
        'from': ['lkst.h'],
        'top': '''/*
 * LKST's hooks: what a hook that is on looks up and calls. Nothing of that takes a lock.
 */
''',
        'includes': ['linux/seq_file.h'],
        'private': [('hook', '../buffer/buffer.h')],
        'sections': ['hook.c', 'keys.c', 'stack.c'],
    },
    POLICY: {
        'from': ['lkst.h', 'notify.c'],
        'top': '''/*
 * LKST's policy: which handler an event has, and what handlers may do.
 */
''',
        'includes': ['linux/llist.h', 'linux/mutex.h', 'linux/sched.h', 'linux/wait.h'],
        'private': [('policy', '../hook/hook.h|../buffer/buffer.h')],
        'sections': ['handler.c', 'maskset.c', 'start.c', 'jump.c', 'parse.c', 'match.c',
                     'notify.c'],
    },
    CRASH: {
        'from': ['lkst.h'],
        'top': '''/*
 * LKST in a crash: what stops it, and where its records are then and after a reset.
 */
''',
        # The last takes the one before for granted: <linux/lkst.h> is another in the kernel.
        'includes': ['linux/seq_file.h', 'linux/utsname.h', '+uapi/linux/lkst.h',
                     'uapi/linux/lkst_dump.h'],
        'private': [('crash', '../policy/policy.h')],
        'sections': ['directory.c', 'persist.c', 'previous.c', 'last.c', 'crash.c'],
    },
    FILES: {
        'from': ['lkst.h', 'control.c'],
        'top': '''/*
 * LKST's control files: what they share.
 */
''',
        'includes': ['linux/fs.h', 'linux/seq_file.h'],
        'private': [('files', UPPER)],
        'sections': ['files.c', 'error_log.c', 'status.c', 'events.c', 'masksets.c',
                     'handlers.c', 'buffers.c', 'per_cpu.c', 'trace.c', 'marker.c', 'notify.c',
                     'previous.c', 'control.c'],
    },
}


# === What is on top of C files that are split ===

def kept(old, early=None):
    """The comment of the file that it was."""
    def top(rooms):
        text = rooms.old.get(old)
        if not text:
            return early
        return want(text.split('\n', 1)[1], r'^/\*\n.*?^ \*/\n', old).group(0)
    return top


def old_includes(*names):
    return list(names)


def ring_top(rooms):
    """That of buffer.c, about writing."""
    text = want(rooms.old['buffer.c'].split('\n', 1)[1], r'^/\*\n.*?^ \*/\n', 'buffer.c').group(0)
    first = want(text, r'^/\*\n \* LKST buffers: .*?\n \*\n', 'buffer.c').group(0)
    return text.replace(first, '''/*
 * LKST rings: going to the next block. The short path is in write.h, reading in reader.c,
 * what changes a buffer while it is written in buffer.c and blocks.c.
 *
''')


KEEP_SYSTEM = ('*',)
PROLOGUE = {
    'buffer/ring.c': {
        'from': ['buffer.c'], 'top': ring_top,
        'includes': ['linux/irqflags.h', 'linux/kprobes.h', 'linux/smp.h', 'linux/timekeeping.h',
                     '+linux/init.h', '+linux/string.h'],
        'private': ['buffer.h', 'write.h'],
    },
    'buffer/blocks.c': {
        'from': ['buffer.c'], 'pr_fmt': True,
        'top': '''/*
 * LKST blocks: the memory of a buffer, and more or less of it while it is written.
 */
''',
        'includes': ['linux/gfp.h', 'linux/mm.h', 'linux/slab.h', 'linux/vmalloc.h',
                     '+linux/cpumask.h', '+linux/sched.h', '+linux/topology.h'],
        'private': ['buffer.h', 'write.h'],
    },
    'buffer/buffer.c': {
        'from': ['buffer.c'],
        'top': '''/*
 * LKST buffers: a name, and a ring of blocks on each CPU. Making, finding, switching,
 * linking, clearing, rotating and deleting them, while they are written. See ring.c for
 * what holds meanwhile.
 */
''',
        'includes': ['linux/cpu.h', 'linux/ctype.h', 'linux/irqflags.h', 'linux/mm.h',
                     'linux/slab.h', 'linux/smp.h', '+linux/export.h', '+linux/kernel.h',
                     '+linux/rcupdate.h', '+linux/string.h'],
        'private': ['buffer.h', 'write.h'],
    },
    'hook/hook.c': {
        'from': ['hook.c'], 'top': '''/*
 * LKST hooks: what a hook that is on calls.
 *
 * An event goes: preemption off; the table says the handler; the default one
 * records without an indirect call; others are called under a guard against
 * recursion. Nothing here takes a lock, calls what has a hook, or faults.
 */
''',
        'includes': ['linux/irqflags.h', 'linux/kprobes.h', 'linux/rcupdate.h', 'linux/sched.h',
                     '+linux/export.h', '+linux/minmax.h'],
        'private': ['../buffer/write.h', 'hook.h'],
    },
    'hook/keys.c': {
        'from': ['hook.c'], 'top': '''/*
 * LKST hooks: which of them are on, and where they are.
 */
''',
        'includes': ['linux/bitmap.h', 'linux/cpu.h', 'linux/jump_label.h', 'linux/mm.h',
                     'linux/sort.h', '+linux/kernel.h'],
        'private': ['hook.h'],
    },
    'policy/handler.c': {
        'from': ['handler.c'], 'top': kept('handler.c'), 'pr_fmt': True,
        'includes': ['linux/ctype.h', 'linux/kstrtox.h', 'linux/module.h', 'linux/rcupdate.h',
                     'linux/slab.h', 'linux/string.h', 'linux/workqueue.h'],
        'all': True, 'private': ['policy.h'],
    },
    'policy/start.c': {
        'from': ['start.c', 'buffer.c'], 'pr_fmt': True,
        'top': kept('start.c', '''/*
 * LKST start: what is there before the first event.
 */
'''),
        'includes': [], 'all': ['start.c'],
        'plus': ['linux/err.h', 'linux/moduleparam.h', 'linux/sizes.h'],
        'private': ['policy.h'],
    },
    'policy/jump.c': {
        'from': ['jump.c'], 'top': kept('jump.c'), 'includes': [], 'all': ['jump.c'],
        'private': ['policy.h'],
    },
    'policy/notify.c': {
        'from': ['notify.c'], 'top': '''/*
 * LKST notifications: what handlers tell processes, through the file notify.
 *
 * A queue of LKST_NOTICES places. Writers are hooks in any context: one takes a place
 * with a cmpxchg(), fills it and says so; one that finds no place counts that. A
 * reader, see files/notify.c, takes what is filled in order. Readers are woken by an
 * irq_work: a hook may be under the locks of waking up.
 */
''',
        'includes': ['linux/atomic.h', 'linux/export.h', 'linux/irq_work.h', 'linux/sched.h',
                     'linux/wait.h', '+linux/smp.h', '+linux/string.h'],
        'private': ['policy.h'],
    },
    'crash/directory.c': {
        'from': ['directory.c'], 'top': kept('directory.c'), 'pr_fmt': True, 'includes': [],
        'all': ['directory.c'], 'private': ['crash.h'],
    },
    'crash/previous.c': {
        'from': ['previous.c'], 'pr_fmt': True, 'top': kept('previous.c'), 'includes': [],
        'all': ['previous.c'], 'not': ['linux/debugfs.h', 'linux/seq_file.h'],
        'private': ['../buffer/write.h', 'crash.h'],
    },
    'files/files.c': {
        'from': ['control.c'], 'top': kept('control.c'),
        'includes': ['linux/debugfs.h', 'linux/fs.h', 'linux/slab.h', 'linux/uaccess.h',
                     '+linux/module.h', '+linux/string.h'],
        'private': ['files.h'],
    },
    'files/error_log.c': {
        'from': ['control.c'], 'top': '''/*
 * LKST control files: error_log, and refusing what is written.
 */
''',
        'includes': ['linux/ctype.h', 'linux/fs.h', 'linux/sched/clock.h', '+linux/dcache.h',
                     '+linux/math64.h', '+linux/string.h', '+linux/time64.h'],
        'private': ['files.h'],
    },
    'files/status.c': {
        'from': ['control.c'], 'top': '''/*
 * LKST control files: README, version, status, enable and clock.
 */
''',
        'includes': ['linux/math64.h', 'linux/minmax.h', '+linux/cpumask.h', '+linux/percpu.h',
                     '+linux/string.h'],
        'private': ['files.h'],
    },
    'files/events.c': {
        'from': ['control.c'], 'top': '''/*
 * LKST control files: events, etypes and hooks.
 */
''',
        'includes': ['+linux/seq_file.h'],
        'private': ['files.h'],
    },
    'files/masksets.c': {
        'from': ['control.c'], 'top': '''/*
 * LKST control files: maskset and masksets/.
 */
''',
        'includes': ['linux/debugfs.h', 'linux/fs.h', 'linux/kstrtox.h', 'linux/slab.h',
                     'linux/uaccess.h', '+linux/mm.h', '+linux/module.h', '+linux/string.h'],
        'private': ['files.h'],
    },
    'files/handlers.c': {
        'from': ['control.c'], 'top': '''/*
 * LKST control files: handlers/.
 */
''',
        'includes': ['linux/debugfs.h', 'linux/fs.h', 'linux/kmod.h', 'linux/slab.h',
                     'linux/uaccess.h', '+linux/module.h', '+linux/string.h'],
        'private': ['files.h'],
    },
    'files/buffers.c': {
        'from': ['control.c'], 'top': '''/*
 * LKST control files: buffer and buffers/.
 */
''',
        'includes': ['linux/debugfs.h', 'linux/fs.h', 'linux/slab.h', '+linux/cpumask.h',
                     '+linux/err.h', '+linux/module.h', '+linux/string.h'],
        'private': ['files.h'],
    },
    'files/per_cpu.c': {
        'from': ['control.c'], 'top': '''/*
 * LKST control files: per_cpu/.
 */
''',
        'includes': ['linux/debugfs.h', 'linux/slab.h', '+linux/cpumask.h', '+linux/kernel.h'],
        'private': ['files.h'],
    },
    'files/marker.c': {
        'from': ['control.c'], 'top': '''/*
 * LKST control files: marker.
 */
''',
        'includes': ['linux/fs.h', 'linux/slab.h', '+linux/err.h', '+linux/math.h',
                     '+linux/minmax.h', '+linux/module.h', '+linux/string.h'],
        'private': ['files.h'],
    },
    'files/notify.c': {
        'from': ['notify.c'], 'top': '''/*
 * LKST control files: notify. Who reads takes what is filled in order, under a mutex.
 */
''',
        'includes': ['linux/fs.h', 'linux/math64.h', 'linux/mutex.h', 'linux/poll.h',
                     'linux/sched.h', 'linux/seq_buf.h', 'linux/time64.h', 'linux/uaccess.h',
                     'linux/wait.h', '+linux/module.h', '+linux/string.h'],
        'private': ['files.h'],
    },
    'files/previous.c': {
        'from': ['previous.c'], 'top': '''/*
 * LKST control files: buffers/previous/, what the boot before left.
 */
''',
        'includes': ['linux/debugfs.h', 'linux/mm.h', 'linux/seq_file.h', '+linux/fs.h',
                     '+linux/module.h', '+linux/seq_buf.h'],
        'private': ['files.h'],
    },
    'files/control.c': {
        'from': ['control.c'], 'top': '''/*
 * LKST control files in debugfs: all of them, made at boot.
 */
''',
        'includes': ['linux/debugfs.h', 'linux/init.h'],
        'private': ['files.h'],
    },
}

# Includes of files that are split which nothing in them needs.
DROPPED = {
    'buffer.c': ['linux/module.h'],
    'hook.c': ['linux/module.h'],
    'control.c': ['linux/string_choices.h'],
}

# === What calls upward, turned round ===


def has(path):
    return lambda rooms: rooms.has(path)


def text_of(path, word):
    """Does old file @path have @word?"""
    return lambda rooms: word in rooms.old.get(path, '')


def extra_own(rooms):
    """hook.c asks policy/ whose an event is that the table has as LKST's own."""
    if 'jump.c' not in rooms.old:
        return
    rooms.header_add(HOOK, 'hook.c', '''/* Whose is an event that a table has as LKST's own? policy/ says. Any context. */
extern u8 (*lkst_own_handler)(unsigned int id);
''', 'lkst_own_handler')
    rooms.add('hook/hook.c', '''/* Set once, before there is a table that needs it. */
u8 (*lkst_own_handler)(unsigned int id) __ro_after_init;
''', name='lkst_own_handler', after='lkst_own_instance')
    rooms.add('policy/jump.c', '''/* Where all events are LKST's own: the jump, and then what the event goes by. */
static notrace u8 lkst_jump_handler(unsigned int id)
{
	lkst_catch_up();
	return lkst_effective()->slot[id];
}
''', name='lkst_jump_handler', after='lkst_catch_up')
    rooms.add('policy/jump.c', '''static int __init lkst_jump_init(void)
{
	lkst_own_handler = lkst_jump_handler;
	return 0;
}
core_initcall(lkst_jump_init);
''', name='lkst_jump_init')


def extra_jump(rooms):
    """What a handler asked for comes before a jump, and after it: policy/ sees to that."""
    if 'jump.c' not in rooms.old:
        return
    rooms.add('policy/jump.c', '''/**
 * lkst_jump - Make another buffer current
 * @buffer: the buffer
 * @cpu: on this CPU, or -1 on all
 * @tell: as for lkst_buffer_jump()
 *
 * What a handler asked for before is not done after it.
 *
 * Context: process, lkst_mutex.
 */
void lkst_jump(struct lkst_buffer *buffer, int cpu, bool tell)
{
	lkst_jump_settle();
	lkst_buffer_jump(buffer, cpu, tell);
	if (cpu < 0)
		lkst_jump_again();
}
''', name='lkst_jump', after='lkst_jump_settle')
    rooms.header_add(POLICY, 'jump.c',
                     'void lkst_jump(struct lkst_buffer *buffer, int cpu, bool tell);\n',
                     'lkst_jump', True)


def extra_blocks(rooms):
    """crash/ says where memory outlives a reset, and keeps the directory of blocks."""
    if 'directory.c' not in rooms.old:
        return
    persist = 'persist.c' in rooms.old
    rooms.header_add(BUFFER, 'blocks.c', '''/*
 * What a room above has to do with blocks; set before there is one.
 * @added: there is a new one; returns a place for @removed, or a negative errno
 * @removed: it goes
''' + (''' * @alloc: memory for one that outlives a reset, zeroed, or NULL
 * @free: takes that back; false if the memory is another
''' if persist else '') + ''' */
struct lkst_block_ops {
	int (*added)(struct lkst_block *block);
	void (*removed)(int place);
''' + ('''	void *(*alloc)(unsigned int size);
	bool (*free)(struct lkst_block *block, unsigned int size);
''' if persist else '') + '''};

extern const struct lkst_block_ops *lkst_block_ops;
''', 'lkst_block_ops')
    rooms.add('buffer/blocks.c', 'const struct lkst_block_ops *lkst_block_ops __ro_after_init;\n',
              True, 'lkst_block_ops', after='lkst_memory')
    rooms.add('crash/directory.c', '''static const struct lkst_block_ops lkst_directory_ops = {
	.added = lkst_directory_add,
	.removed = lkst_directory_remove,
''' + ('''	.alloc = lkst_persist_alloc,
	.free = lkst_persist_free,
''' if persist else '') + '};\n', name='lkst_directory_ops', after='lkst_directory_etypes')


def extra_starting(rooms):
    """start.c tells crash/ that recording starts."""
    if 'directory.c' not in rooms.old:
        return
    rooms.header_add(POLICY, 'start.c', '''
/* Recording starts, or goes on with another clock: what a room above does then. */
extern void (*lkst_starting)(void);
''', 'lkst_starting', True)
    rooms.add('policy/start.c', 'void (*lkst_starting)(void) __ro_after_init;\n',
              name='lkst_starting', after='LKST_HEARTBEAT')


def extra_instances(rooms):
    """handler.c tells files/ of instances."""
    if 'control.c' not in rooms.old:
        return
    rooms.header_add(POLICY, 'handler.c', '''
/*
 * What a room above has to do with instances; set while those that exist are made known.
 * @added: there is a new one. Under lkst_mutex
 * @removed: it is gone. Without lkst_mutex and lkst_handler_mutex
 */
struct lkst_instance_ops {
	void (*added)(struct lkst_instance *inst);
	void (*removed)(struct lkst_instance *inst);
};

extern const struct lkst_instance_ops *lkst_instance_ops;
''', 'lkst_instance_ops', True)
    rooms.add('policy/handler.c',
              '/* Changed once; under lkst_mutex. */\n'
              'const struct lkst_instance_ops *lkst_instance_ops;\n',
              name='lkst_instance_ops', after='lkst_registry')
    rooms.add('files/handlers.c', '''static const struct lkst_instance_ops lkst_handlers_ops = {
	.added = lkst_add_instance_dir,
	.removed = lkst_remove_instance_dir,
};
''', name='lkst_handlers_ops', after='lkst_handlers_delete_fops')


def extra_notify(rooms):
    """What reading the queue needs of it."""
    if 'notify.c' not in rooms.old:
        return
    rooms.add('policy/notify.c', '''/**
 * lkst_notify_taken - The next notice is read
 *
 * Context: process, one reader at a time.
 */
void lkst_notify_taken(void)
{
	/* The place is free; pairs with lkst_notify(). */
	smp_store_release(&lkst_notices_tail, lkst_notices_tail + 1);
}
''', name='lkst_notify_taken')
    rooms.add('policy/notify.c', '''/**
 * lkst_notify_lost - How many notices found no place?
 *
 * Return: their number
 */
long lkst_notify_lost(void)
{
	return atomic_long_read(&lkst_notices_lost);
}
''', name='lkst_notify_lost')
    rooms.header_add(POLICY, 'notify.c', 'void lkst_notify_taken(void);\n', 'x', True)
    rooms.header_add(POLICY, 'notify.c', 'long lkst_notify_lost(void);\n', 'x', True)


def extra_previous(rooms):
    if 'previous.c' not in rooms.old:
        return
    rooms.add('files/previous.c', '''/**
 * lkst_previous_remove_files - Remove them, when nobody is in them
 *
 * Context: process, without lkst_mutex.
 */
void lkst_previous_remove_files(void)
{
	debugfs_remove(lkst_previous_dir);
	lkst_previous_dir = NULL;
}
''', name='lkst_previous_remove_files')
    rooms.out['files/previous.c'].chunks.insert(1, (
        '\nstatic struct dentry *lkst_previous_dir;\n', True, 'lkst_previous_dir', None))
    rooms.header_add(FILES, 'previous.c', 'void lkst_previous_remove_files(void);\n', 'x', True)


EXTRA = [extra_own, extra_jump, extra_blocks, extra_starting, extra_instances, extra_notify,
         extra_previous]

JUMP = has('jump.c')
DIRECTORY = has('directory.c')
PERSIST = has('persist.c')
CONTROL = has('control.c')
NOTIFY = has('notify.c')
PREVIOUS = has('previous.c')

# (new file, what is there, what is to be there, when it must be; None: wherever it is)
SUBST = [
    ('hook/hook.c', '''	if (hit.handler == LKST_HANDLER_OWN && hit.id != LKST_EV_PROCESS) {
		lkst_catch_up();
		hit.handler = lkst_effective()->slot[hit.id];
	}
''', '''	if (hit.handler == LKST_HANDLER_OWN && hit.id != LKST_EV_PROCESS)
		hit.handler = lkst_own_handler(hit.id);
''', JUMP),
    ('buffer/buffer.c', '''	lockdep_assert_held(&lkst_mutex);
	lkst_jump_settle();
''', '''	lockdep_assert_held(&lkst_mutex);
''', JUMP),
    ('buffer/buffer.c', '''	if (cpu < 0) {
		lkst_buffer_current = buffer;
		lkst_jump_again();
	}
''', '''	if (cpu < 0)
		lkst_buffer_current = buffer;
''', JUMP),
    ('buffer/buffer.c', ''' *        another one
 *
''', ''' *        another one
 *
 * What handlers have asked for meanwhile is lkst_jump()'s to see to.
 *
''', JUMP),
    ('policy/jump.c', ' * lkst_buffer_jump() ends with it: some', ' * lkst_jump() ends with it: some', JUMP),
    ('policy/jump.c', ''' * lkst_buffer_jump() starts with it: what a handler asked for before is not done
 * after it.
''', ''' * lkst_jump() starts with it.
''', JUMP),
    ('policy/jump.c', '	lkst_buffer_jump(from, -1, true);\n', '	lkst_jump(from, -1, true);\n', JUMP),
    ('policy/start.c', '	lkst_buffer_jump(buffer, -1, false);\n',
     '	lkst_jump(buffer, -1, false);\n', JUMP),
    ('files/buffers.c', '	lkst_buffer_jump(buffer, -1, lkst_tracing());\n',
     '	lkst_jump(buffer, -1, lkst_tracing());\n', JUMP),
    ('files/per_cpu.c', '	lkst_buffer_jump(buffer, (', '	lkst_jump(buffer, (', JUMP),
    ('tests/.*', 'lkst_buffer_jump(', lambda r: 'lkst_jump(' if r.has('jump.c') else
     'lkst_buffer_jump(', None),
    ('buffer/blocks.c', '	lkst_directory_remove(slot->place);\n',
     '	lkst_block_ops->removed(slot->place);\n', DIRECTORY),
    ('buffer/blocks.c', '	slot->place = lkst_directory_add(slot->block);\n',
     '	slot->place = lkst_block_ops->added(slot->block);\n', DIRECTORY),
    ('buffer/blocks.c', 'struct lkst_block *block = lkst_persist_alloc(size);',
     'struct lkst_block *block = lkst_block_ops->alloc(size);', PERSIST),
    ('buffer/blocks.c', '	if (!lkst_persist_free(block, size))\n',
     '	if (!lkst_block_ops->free(block, size))\n', PERSIST),
    ('crash/directory.c', '''static int __init lkst_directory_init(void)
{
''', '''static int __init lkst_directory_init(void)
{
	lkst_block_ops = &lkst_directory_ops;
	lkst_starting = lkst_directory_started;
''', DIRECTORY),
    ('policy/start.c', '	lkst_directory_started();\n', '	lkst_starting();\n', DIRECTORY),
    ('policy/start.c', 'unsigned long lkst_buffer_size = SZ_1M',
     'unsigned long lkst_buffer_size = SZ_1M', None),
    ('policy/handler.c', '	lkst_control_add_instance(inst);\n',
     '	if (lkst_instance_ops)\n		lkst_instance_ops->added(inst);\n', CONTROL),
    ('policy/handler.c', '	lkst_control_remove_instance(first);\n',
     '	if (lkst_instance_ops)\n		lkst_instance_ops->removed(first);\n', CONTROL),
    ('policy/.*|files/.*', 'lkst_control_name_taken', 'lkst_name_taken', None),
    ('policy/handler.c', 'lkst_name_taken - Is there a file of that name in the folder?',
     'lkst_name_taken - Is there a control file of that name in each folder?', CONTROL),
    ('files/handlers.c', '''	if (!lkst_handlers_dir)
		return;	/* before the files are made; they take up what is there */
''', '', CONTROL),
    ('files/handlers.c', '''/**
 * lkst_control_add_instance - Make the folder handlers/NAME
 * @inst: the instance of a handler
 *
 * Context: process, lkst_mutex.
 */
void lkst_control_add_instance(''', '''/* Makes the folder handlers/NAME. Under lkst_mutex. */
static void lkst_add_instance_dir(''', CONTROL),
    ('files/handlers.c', '''/**
 * lkst_control_remove_instance - Remove it, when nobody is in its files
 * @inst: the instance
 *
 * Context: process, without lkst_mutex and lkst_handler_mutex.
 */
void lkst_control_remove_instance(''', '''/* Removes it, when nobody is in its files. Without lkst_mutex and lkst_handler_mutex. */
static void lkst_remove_instance_dir(''', CONTROL),
    ('files/handlers.c', 'lkst_control_remove_instance(', 'lkst_remove_instance_dir(', None),
    ('files/handlers.c', 'lkst_control_add_instance(', 'lkst_add_instance_dir(', None),
    ('files/handlers.c', '''	for (id = 0; id < 256; id++)
		if (lkst_instance_by_id(id))
			lkst_add_instance_dir(lkst_instance_by_id(id));
''', '''	for (id = 0; id < 256; id++)
		if (lkst_instance_by_id(id))
			lkst_add_instance_dir(lkst_instance_by_id(id));
	lkst_instance_ops = &lkst_handlers_ops;
''', CONTROL),
    ('files/notify.c', 'smp_store_release(&lkst_notices_tail, lkst_notices_tail + 1);',
     'lkst_notify_taken();', NOTIFY),
    ('files/notify.c', '''	while (lkst_notify_next())	/* The place is free; pairs with lkst_notify(). */
''', '''	while (lkst_notify_next())
''', NOTIFY),
    ('files/notify.c', '''		if (notice)	/* The place is free; pairs with lkst_notify(). */
''', '''		if (notice)
''', NOTIFY),
    ('files/notify.c', 'atomic_long_read(&lkst_notices_lost)', 'lkst_notify_lost()', NOTIFY),
    ('policy/notify.c', '/* The next notice, or NULL. */\n', '''/**
 * lkst_notify_next - What is to be read next?
 *
 * Context: any.
 * Return: the next notice, or NULL
 */
''', NOTIFY),
    ('files/previous.c', '	p->files = debugfs_create_dir(LKST_PREVIOUS, buffers);\n',
     '	lkst_previous_dir = debugfs_create_dir(LKST_PREVIOUS, buffers);\n', PREVIOUS),
    ('files/previous.c', 'p->files', 'lkst_previous_dir', PREVIOUS),
    ('files/previous.c', '''	debugfs_create_file_size("core", 0400, lkst_previous_dir, NULL, &lkst_previous_core_fops, p->size);
''', '''	debugfs_create_file_size("core", 0400, lkst_previous_dir, NULL, &lkst_previous_core_fops,
				 p->size);
''', PREVIOUS),
    ('files/buffers.c', '''	if (lkst_previous_free(obj))
		return;
''', '''	if (obj == &lkst_previous) {
		lkst_previous_remove_files();
		lkst_previous_free(obj);
		return;
	}
''', PREVIOUS),
    ('crash/previous.c', '/* Of the buffer of that name, or of all; NULL without memory. */\n', '''/**
 * lkst_previous_get_text - Have the lines of what was found
 * @name: of the buffer of that name, or NULL for all
 *
 * Return: them, to be freed with kvfree(), or NULL without memory
 */
''', PREVIOUS),
    ('files/files.c', 'DEFINE_MUTEX(lkst_files_mutex);',
     '/* Making and deleting what has files; see above. */\nDEFINE_MUTEX(lkst_files_mutex);', CONTROL),
    ('buffer/buffer.c', 'see lkst.h. */', 'see buffer.h. */', None),
    ('record/text.c', 'see stack.c. */', 'see hook/stack.c. */', None),
    ('handlers/.*', 'see match.c', 'see policy/match.c', None),
    ('handlers/.*', 'see action.c', 'see policy/action.c', None),
    ('tests/buffer_test.c', ' * record.h does', ' * buffer/write.h does', None),
    ('crash/persist.c', "see the Makefile's order. */", 'see the Makefile\'s order. */', None),
    ('policy/handler.c', '"default", which hook.c knows', '"default", which hook/ knows', None),
    (r'buffer/buffer\.h', 'see hook.c. */', 'see hook/hook.c. */', None),
    (r'buffer/write\.h', 'see lkst.h', 'see buffer.h', None),
]

# (new file, a word that must not be in it)
GONE = [
    (r'hook/hook\.c', r'lkst_catch_up|lkst_effective'),
    (r'buffer/.*', r'lkst_directory_\w+|lkst_persist_\w+|lkst_jump_settle|lkst_jump_again'),
    (r'policy/.*', r'lkst_directory\w*|lkst_control_\w+|debugfs_\w+'),
    (r'crash/.*', r'debugfs_\w+'),
    (r'.*', r'lkst_control_(name_taken|add_instance|remove_instance)'),
]

# === What names them elsewhere in the series ===

ELSEWHERE = {
    'arch/x86/kernel/lkst_64.S': [
        ('kernel/trace/lkst/record.h', 'kernel/trace/lkst/buffer/write.h'),
        ('What hook.c and record.h have; the first checks that.',
         'What hook.c, write.h and record.h have; the first checks that.'),
        ('Marks for stack.c, which', 'Marks for stack.c, which'),
    ],
}
