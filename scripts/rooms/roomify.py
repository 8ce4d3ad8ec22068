#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""roomify.py IN OUT [COMMIT]
roomify.py --folder IN OUT

Rewrites every commit of the series in git repository IN (base commit, then one a patch)
so that kernel/trace/lkst is laid out in rooms. OUT is made anew; its branch "rooms" is
the result. With COMMIT, only that commit of IN is done: its kernel/trace/lkst is written
to the folder OUT. With --folder, IN is a kernel/trace/lkst that is in no repository: a
quick look whether the tables have all that is in it.

What goes where is in roomspec.py. A piece of code that is in no table there is an error:
the message says which file, which name, and at which patch.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

LKST = 'kernel/trace/lkst'


class Lost(Exception):
    """Something that the tables do not say a place for."""


# === Cutting a file into chunks ===

class Chunk:
    """A piece at the top level of a file.

    name: what it defines; '=== Text ===' for a ruler
    kind: include, comment, define, if, code
    text: its lines, the comment above it included
    glued: no blank line was before it
    """
    def __init__(self, name, kind, text, glued):
        self.name, self.kind, self.text, self.glued = name, kind, text, glued
        self.inner = None

    def __repr__(self):
        return '<%s %s>' % (self.kind, self.name)


# These say something of what is before them.
FOLLOWERS = ('EXPORT_SYMBOL', 'NOKPROBE_SYMBOL', 'core_initcall', 'late_initcall',
             'module_param', 'MODULE_PARM_DESC', 'static_assert', 'early_param')
# The name is the second argument of these, the first of all others.
SECOND = ('DEFINE_PER_CPU', 'DECLARE_PER_CPU', 'DEFINE_MIN_HEAP')
NO_NAMES = ('__printf', '__aligned', '__attribute__', '__section', '__acquires')


def bare(text):
    """The text without comments, strings and characters."""
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//[^\n]*',
                  lambda m: ' ' if m.group(0).startswith('/') else '""', text, flags=re.S)


def name_of(text):
    code = bare(text).strip()
    m = re.match(r'#\s*(?:define|undef)\s+(\w+)', code)
    if m:
        return m.group(1)
    m = re.match(r'(?:static\s+)?(?:__visible\s+)?([A-Z][A-Z0-9_]+)\(([^;]*)\)', code, re.S)
    if m:
        args = [a.strip() for a in m.group(2).split(',')]
        return args[1] if m.group(1).startswith(SECOND) else args[0]
    m = re.match(r'((?:static|extern|const|typedef)\s+)*(struct|enum|union)\s*(\w*)\s*\{', code)
    if m:
        # struct tag { ... } variable;
        end, depth = m.end(), 1
        while depth:
            depth += {'{': 1, '}': -1}.get(code[end], 0)
            end += 1
        variable = re.match(r'\s*(\w+)', code[end:])
        if variable and not variable.group(1).startswith('__'):
            return variable.group(1)
        if variable and variable.group(1).startswith('__') and m.group(1):
            return variable.group(1)
        return '%s %s' % (m.group(2), m.group(3))
    m = re.match(r'(struct|enum|union)\s+(\w+)\s*;', code)
    if m:
        return '%s %s;' % m.groups()
    code = re.sub(r'\b(?:%s)\([^()]*\)' % '|'.join(NO_NAMES), '', code)
    head = code.split('=')[0] if re.search(r'^[^({]*=', code) else code.split('{')[0]
    for m in re.finditer(r'(\w+)\s*\(', head):
        if m.group(1) not in NO_NAMES:
            return m.group(1)
    head = re.sub(r'\b__(?:initdata|ro_after_init|read_mostly|init)\b', '', head)
    head = re.sub(r'\[[^\]]*\]', '', head).rstrip(' ;\n\t')
    m = re.search(r'(\w+)$', head.strip())
    return m.group(1) if m else None


def parse(text, where):
    """The chunks of a file, in order."""
    lines = text.split('\n')
    chunks, i, blank = [], 0, True
    pending = []

    def add(kind, body):
        nonlocal pending, blank
        whole = '\n'.join(pending + body) + '\n'
        if kind == 'code' and bare(whole).strip().startswith(FOLLOWERS) and chunks:
            chunks[-1].text += ('' if glued else '\n') + whole
            pending = []
            return
        name = name_of(whole) if kind in ('code', 'define') else None
        if kind in ('code', 'define') and not name:
            raise Lost('%s: no name in\n%s' % (where, whole))
        if kind == 'comment':
            name = re.sub(r'^/\*\s*|\s*\*/$', '', whole.strip())
        if kind == 'include':
            name = body[0]
        c = Chunk(name, kind, whole, glued)
        if kind == 'if':
            c.name = body[0]
            c.inner = body
        chunks.append(c)
        pending = []

    glued = False
    while i < len(lines):
        line = lines[i]
        if not line.strip():
            blank = True
            i += 1
            continue
        if not pending:
            glued = not blank
        blank = False
        if line.startswith('/*') or line.startswith('//'):
            start = i
            if line.startswith('/*'):
                while '*/' not in lines[i]:
                    i += 1
            i += 1
            pending += lines[start:i]
            if i >= len(lines) or not lines[i].strip():
                body, pending = pending, []
                add('comment', body)
            continue
        start = i
        if line.startswith('#'):
            word = re.match(r'#\s*(\w+)', line).group(1)
            if word in ('if', 'ifdef', 'ifndef'):
                depth = 0
                while True:
                    if re.match(r'#\s*if', lines[i]):
                        depth += 1
                    if re.match(r'#\s*endif', lines[i]):
                        depth -= 1
                    i += 1
                    if not depth:
                        break
                add('if', lines[start:i])
                continue
            while lines[i].endswith('\\'):
                i += 1
            i += 1
            add('include' if word == 'include' else 'define', lines[start:i])
            continue
        while True:
            i += 1
            code = bare('\n'.join(lines[start:i])).rstrip()
            depth = sum(code.count(c) for c in '{(') - sum(code.count(c) for c in '})')
            if depth or not code:
                continue
            if code.endswith(';'):
                break
            # The end of a function; a structure goes on to its semicolon.
            if code.endswith('}') and (lines[i - 1].startswith('}') or
                                       re.search(r'\)\s*\{[^{}]*\}$', lines[i - 1])):
                break
            if i >= len(lines):
                raise Lost('%s: no end of\n%s' % (where, '\n'.join(lines[start:start + 4])))
        add('code', lines[start:i])
    return chunks


# === One commit ===

class Out:
    """A file that is being put together."""
    def __init__(self):
        self.prologue = None
        self.chunks = []        # (text, glued, name, section)


def prototype(text):
    """The declaration of a function or variable that a chunk defines."""
    code = text
    code = re.sub(r'^(?:\s*/\*.*?\*/\s*\n)+', '', code, flags=re.S)
    m = re.match(r'(.*?)\n\{\n', code, re.S)
    if m:       # a function
        full = head = m.group(1)
        head = re.sub(r'\b(?:static|notrace|noinline|__visible|__init)\s+', '', head)
        head = re.sub(r'\s__init\b', '', head)
        return shifted(full, head) + ';\n'
    m = re.match(r'(?:static\s+)?(DEFINE_MUTEX|DECLARE_WAIT_QUEUE_HEAD|LIST_HEAD)\((\w+)\)', code)
    if m:
        kind = {'DEFINE_MUTEX': 'mutex', 'LIST_HEAD': 'list_head',
                'DECLARE_WAIT_QUEUE_HEAD': 'wait_queue_head'}[m.group(1)]
        return 'extern struct %s %s;\n' % (kind, m.group(2))
    m = re.match(r'(?:static\s+)?([^=;]*?)\s*(?:=|;)', code, re.S)
    return 'extern %s;\n' % re.sub(r'\s__\w+$', '', m.group(1).strip())


def width(text):
    return len(text.expandtabs(8))


def shifted(old, new):
    """The lines behind the first moved as far as the parenthesis in it has moved."""
    def column(line):
        for m in re.finditer(r'(\w+)\(', line):
            if m.group(1) not in NO_NAMES:
                return width(line[:m.end()])
        return width(line)
    before, after = old.split('\n'), new.split('\n')
    by = column(before[0]) - column(after[0])
    lines = [after[0]]
    for line in after[1:]:
        rest = line.lstrip()
        n = max(width(line[:len(line) - len(rest)]) - by, 0)
        lines.append('\t' * (n // 8) + ' ' * (n % 8) + rest)
    return '\n'.join(lines)


def publish(text):
    """A definition without its static, its lines aligned again."""
    m = re.search(r'^static ', text, re.M)
    if not m:
        return text
    rest = text[m.end():]
    head_end = rest.find('\n{\n')
    if head_end >= 0 and '\n' in rest[:head_end] and '=' not in rest[:head_end]:
        return text[:m.start()] + shifted('static ' + rest[:head_end], rest[:head_end]) + \
            rest[head_end:]
    # Lines of a variable's value start at tabs.
    return text[:m.start()] + rest


def cut(text, name, where):
    if text.count(name) != 1:
        raise Lost('%s: %d times: %r' % (where, text.count(name), name))
    return text.replace(name, '')


class Rooms:
    def __init__(self, spec, files, where):
        self.spec, self.old, self.where = spec, files, where
        self.out = {}

    def lost(self, what):
        raise Lost('%s: %s' % (self.where, what))

    def has(self, path):
        """Is there such a file, old (no folder in it) or new?"""
        if '/' not in path:
            return path in self.old
        return path in self.targets

    def target(self, path):
        return self.out.setdefault(path, Out())

    def add(self, path, text, glued=False, name=None, section=None, after=None):
        out = self.target(path)
        chunk = (text, glued, name, section)
        if after:
            for i, c in enumerate(out.chunks):
                if c[2] == after:
                    out.chunks.insert(i + 1, chunk)
                    return
        out.chunks.append(chunk)

    def place(self, old, chunk):
        """Where a chunk of a file that is split goes: a path, or (path, ...) or None."""
        table = self.spec.SPLIT[old]
        for path, names in table.items():
            if path == 'default':
                continue
            if chunk.name in names:
                return path
        if 'default' in table and chunk.kind != 'if':
            return table['default']
        if chunk.kind == 'if':
            inner = self.inner(old, chunk)
            places = [self.place(old, c) for c in inner if c.kind != 'include']
            if len(set(places)) == 1:
                return places[0]
            if '#else' in chunk.text or any(c.kind == 'include' for c in inner):
                if 'default' in table:
                    return table['default']
                self.lost('%s: an #if block of several places: %s' % (old, chunk.name))
            return '*'
        self.lost('%s: no place for "%s"' % (old, chunk.name))

    def inner(self, old, chunk):
        body = chunk.inner[1:-1]
        body = [l for l in body if not re.match(r'#\s*(else|elif)', l)]
        return parse('\n'.join(body) + '\n', '%s: %s' % (self.where, old))

    # --- C files ---

    def split(self, old):
        spec = self.spec
        text = self.old[old]
        chunks = parse(text, '%s: %s' % (self.where, old))
        last = max([i for i, c in enumerate(chunks) if c.kind == 'include'
                    and c.name.startswith('#include') and not c.name.endswith('.c"')] + [-1])
        includes = [c.name for c in chunks[:last + 1] if c.kind == 'include']
        self.includes[old] = includes
        previous = None
        for i, c in enumerate(chunks):
            if c.kind == 'include' or (i <= last and c.kind == 'comment') or \
               (i < last and c.name == 'pr_fmt'):
                continue
            if i == 0 and c.kind == 'comment':
                continue
            special = spec.SPECIAL.get((old, c.name))
            if special:
                for path, piece, name, section in special(self, c):
                    if path.endswith('.h'):
                        self.header_add(path, section, piece, name)
                    else:
                        self.add(path, piece, name=name)
                previous = None
                continue
            path = self.place(old, c)
            if path is None:
                previous = None
                continue
            if path == '*':
                for piece in self.inner(old, c):
                    to = self.place(old, piece)
                    body = c.text[:c.text.index(c.inner[0])] + c.inner[0] + '\n' + piece.text + c.inner[-1] + '\n'
                    self.put(old, to, Chunk(piece.name, 'if', body, False), None)
                previous = None
                continue
            self.put(old, path, c, previous)
            previous = path

    def put(self, old, path, c, previous):
        spec = self.spec
        text = c.text
        inline = spec.INLINE.get(c.name)
        if inline:
            header, section = inline
            if not re.search(r'^static ', text, re.M):
                self.lost('%s: %s is not static' % (old, c.name))
            self.header_add(header, section, re.sub(r'^static ', 'static inline ', text, 1, re.M),
                            c.name)
            return
        export = spec.EXPORT.get(c.name)
        if export and re.search(r'^static ', text, re.M):
            text = publish(text)
            self.protos.append((export, c.name, prototype(text)))
        if path.endswith('.h'):
            self.header_add(path, spec.SECTION.get(c.name, old), text, c.name)
            return
        if re.search(r'\bpr_(emerg|alert|crit|err|warn|notice|info)\(', text) and \
           'define pr_fmt' in self.old[old] and not spec.PROLOGUE[path].get('pr_fmt'):
            self.lost('%s: "%s" prints, and %s has no pr_fmt' % (old, c.name, path))
        after = spec.AFTER.get((old, c.name))
        self.add(path, text, c.glued and previous == path, c.name, after=after)

    # --- Headers ---

    def header_add(self, path, section, text, name, glued=False):
        self.headers.setdefault(path, []).append((section, text, name, glued))

    def split_header(self, old):
        spec = self.spec
        table = spec.HEADERS[old]
        chunks = parse(self.guts(old), '%s: %s' % (self.where, old))
        section, before = '', None
        for c in chunks:
            if c.kind == 'include' or (c.kind == 'if' and 'include <asm/tsc.h>' in c.text):
                continue
            m = re.match(r'=== (.*) ===$', c.name or '') if c.kind == 'comment' else None
            if m:
                section, before = m.group(1), None
                if section not in table:
                    self.lost('%s: no place for section "%s"' % (old, section))
                continue
            if c.kind == 'comment':
                self.lost('%s: a comment that is nobody\'s: %s' % (old, c.name))
            self.header_chunk(old, table, section, c, before)
            before = c
        self.includes[old] = [c.name for c in parse(self.old[old], old) if c.kind == 'include'] or \
            re.findall(r'^#include .*$', self.old[old], re.M)

    def header_chunk(self, old, table, section, c, before):
        spec = self.spec
        special = spec.SPECIAL.get((old, c.name))
        if special:
            for path, piece, name, to in special(self, c):
                self.header_add(path, to, piece, name)
            return
        if c.kind == 'if':
            inner = self.inner(old, c)
            places = {self.header_place(table, section, x.name, old) for x in inner}
            if len(places) > 1:
                if '#else' in c.text:
                    self.lost('%s: an #if block of several places: %s' % (old, c.name))
                for path, to in sorted(places, key=str):
                    body = ''.join(x.text for x in inner
                                   if self.header_place(table, section, x.name, old) ==
                                   (path, to))
                    self.header_add(path, to, c.text[:c.text.index(c.inner[0])] + c.inner[0] +
                                    '\n' + body + c.inner[-1] + '\n', inner[0].name)
                return
            path, to = places.pop()
        else:
            path, to = self.header_place(table, section, c.name, old)
        if path is None:
            return
        glued = c.glued and before is not None
        text = c.text
        self.header_add(path, to, text, c.name, glued)

    def header_place(self, table, section, name, old):
        places = self.spec.HEADER_NAMES
        if name in places:
            return places[name]
        if section in table and table[section] is None:
            for pattern, place in self.spec.HEADER_PATTERNS:
                if name and re.fullmatch(pattern, name):
                    return place
        if section in table and table[section] is not None:
            return table[section]
        self.lost('%s: no place for "%s"' % (old, name))

    def guts(self, old):
        """A header without its comment on top, its guard and its includes."""
        text = self.old[old]
        m = re.search(r'#ifndef (\w+)\n#define \1\n(.*)#endif[^\n]*\n$', text, re.S)
        if not m:
            self.lost('%s: no guard' % old)
        return m.group(2)

    def make_header(self, path):
        spec = self.spec
        h = spec.HEADER[path]
        parts = self.headers[path]
        guard = '_KERNEL_TRACE_LKST_%s_H' % re.sub(r'\W', '_', path.rsplit('/', 1)[1][:-2]).upper()
        top = h['top'](self) if callable(h['top']) else h['top']
        body = '/* SPDX-License-Identifier: GPL-2.0-only */\n%s' % top
        body += '#ifndef %s\n#define %s\n\n' % (guard, guard)
        inc = self.pick(h['includes'], h['from'])
        if inc:
            body += self.include_block(inc)
        if 'extra' in h:
            body += h['extra'](self)
        private = self.private(h['private'])
        if private:
            body += ('\n' if inc else '') + private
        order = h['sections']
        for section in sorted({p[0] for p in parts}, key=lambda s: order.index(s)
                              if s in order else self.lost('%s: no section "%s"' % (path, s))):
            title = h['titles'].get(section, section) if 'titles' in h else section
            if title:
                body += '\n/* === %s === */\n' % title
            before = None
            for s, text, name, glued in parts:
                if s != section:
                    continue
                # A line of its own does not stand right behind a body.
                if before and before.rstrip().split('\n')[-1].startswith('}') and \
                   text[0] not in '/#\n}':
                    glued = False
                body += ('' if glued and before else '\n') + text
                before = text
        body += '\n#endif /* %s */\n' % guard
        return body

    def pick(self, wanted, sources):
        """Those includes that the files they come from have at this commit."""
        had = set()
        for old in sources:
            had.update(re.findall(r'^#include <(.*)>$', self.old.get(old, ''), re.M))
        return [w.lstrip('+') for w in wanted if w.startswith('+') or w in had]

    @staticmethod
    def include_block(inc):
        order = {'kunit': 0, 'linux': 0, 'uapi': 1, 'asm': 2}
        return ''.join('#include <%s>\n' % i for i in
                       sorted(set(inc), key=lambda i: (order.get(i.split('/')[0], 0), i)))

    def private(self, wanted):
        """The room's own includes: the first of a|b that exists."""
        out = ''
        for one in wanted:
            here, alternatives = one[0], one[1].split('|')
            for a in alternatives:
                if os.path.normpath(os.path.join(here, a)) in self.targets:
                    out += '#include "%s"\n' % a
                    break
        return out

    # --- All of it ---

    def make(self):
        spec = self.spec
        self.headers, self.protos, self.includes = {}, [], {}
        self.targets = set()
        new = {}

        for old in self.old:
            if old in spec.SPLIT or old in spec.HEADERS or old in spec.MOVE or \
               old in spec.STAY or old.startswith('handlers/'):
                continue
            if re.match(r'\w+_test\.c$', old):
                continue
            self.lost('%s is in no table' % old)

        for old in spec.HEADERS:
            if old in self.old:
                self.split_header(old)
        for old in spec.SPLIT_ORDER:
            if old in self.old:
                self.split(old)
        for (header, section), name, proto in self.protos:
            self.header_add(header, section, proto, name, True)
        for fn in spec.EXTRA:
            fn(self)

        self.check_includes()
        moved = {}
        for old, text in self.old.items():
            path = spec.MOVE.get(old)
            if not path and re.match(r'\w+_test\.c$', old):
                path = 'tests/' + old
            if path:
                moved[path] = old
        self.targets = set(self.out) | set(self.headers) | set(moved)

        for path, old in moved.items():
            new[path] = self.move(old, path)
        for path in self.headers:
            new[path] = self.make_header(path)
        for path, out in self.out.items():
            text = self.prologue(path)
            for body, glued, name, section in out.chunks:
                text += ('' if glued else '\n') + body
            new[path] = text
        for old in spec.STAY:
            if old in self.old:
                new[old] = self.old[old]
        for old, text in self.old.items():
            if old.startswith('handlers/') and old != 'handlers/Makefile':
                new[old] = text.replace('#include "../lkst.h"', '#include "../hook/hook.h"')
        self.makefiles(new)
        for path, text in new.items():
            for pattern, wanted, repl, needed in spec.SUBST:
                if not re.fullmatch(pattern, path):
                    continue
                if callable(needed):
                    if not needed(self):
                        continue
                    if wanted not in text:
                        self.lost('%s: there is no\n%s' % (path, wanted))
                text = text.replace(wanted, repl(self) if callable(repl) else repl)
            for pattern, word in spec.GONE:
                if re.fullmatch(pattern, path) and re.search(r'\b%s\b' % word, text):
                    self.lost('%s: "%s" should be gone' % (path, word))
            new[path] = text
        return new

    def check_includes(self):
        """An include of a file that is split is in one of those it becomes."""
        for old in self.spec.SPLIT:
            taken = set()
            for p in self.spec.PROLOGUE.values():
                if old in p['from']:
                    if p.get('all') is True or old in (p.get('all') or ()):
                        taken.update(re.findall(r'^#include <(.*)>$', self.old.get(old, ''),
                                                re.M))
                    taken.update(i.lstrip('+') for i in p['includes'] + p.get('plus', []))
            taken.update(self.spec.DROPPED.get(old, ()))
            for i in re.findall(r'^#include <(.*)>$', self.old.get(old, ''), re.M):
                if i not in taken:
                    self.lost('%s: nobody takes <%s>' % (old, i))
        for old in self.spec.HEADERS:
            taken = {'asm/tsc.h'}
            for h in self.spec.HEADER.values():
                if old in h['from']:
                    taken.update(i.lstrip('+') for i in h['includes'])
            for i in re.findall(r'^#include <(.*)>$', self.old.get(old, ''), re.M):
                if i not in taken:
                    self.lost('%s: nobody takes <%s>' % (old, i))

    def prologue(self, path):
        p = self.spec.PROLOGUE.get(path)
        if not p:
            self.lost('%s has no prologue' % path)
        top = p['top'](self) if callable(p['top']) else p['top']
        text = '// SPDX-License-Identifier: GPL-2.0-only\n' + top
        if p.get('pr_fmt') and any('pr_fmt' in self.old.get(o, '') for o in p['from']):
            text += '#define pr_fmt(fmt) "lkst: " fmt\n\n'
        inc = self.pick(p['includes'], p['from'])
        for old in p['from'] if p.get('all') is True else p.get('all') or ():
            inc += re.findall(r'^#include <(.*)>$', self.old.get(old, ''), re.M)
        inc = [i for i in inc + p.get('plus', []) if i not in p.get('not', ())]
        text += self.include_block(inc)
        private = self.private([(os.path.dirname(path), i) for i in p['private']])
        return text + '\n' + private

    def move(self, old, path):
        text = self.old[old]
        wanted = self.spec.PRIVATE.get(path)
        room = os.path.dirname(path)
        if not wanted:
            wanted = self.spec.PRIVATE_ROOM[room]
            if room == 'tests' and '#include "record.h"' in text:
                wanted = ['../buffer/write.h'] + wanted
        private = self.private([(room, i) for i in wanted])
        names = ('lkst.h', 'record.h', 'trace.h', 'test.h')
        lines, done = [], False
        for line in text.split('\n'):
            m = re.match(r'#include "(.*)"$', line)
            if m and m.group(1) in names:
                if not done:
                    lines += private.rstrip('\n').split('\n')
                done = True
                continue
            lines.append(line)
        return '\n'.join(lines)

    def makefiles(self, new):
        spec = self.spec
        old = self.old['Makefile']
        flags, per_room, tests = [], {}, []
        for line in old.split('\n'):
            if not line.strip() or line.startswith('#'):
                continue
            if line in spec.FOLDER_FLAGS:
                flags.append(line)
            elif line in spec.OBJECT_FLAGS:
                for room, text in spec.OBJECT_FLAGS[line]:
                    per_room.setdefault(room, []).append(text)
            elif re.match(r'obj-\$\(CONFIG_LKST_(KUNIT_TEST|BENCHMARK|TORTURE)\)', line):
                tests.append(line)
            elif line.startswith('obj-'):
                continue
            else:
                self.lost('Makefile: no place for "%s"' % line)
        # What the old one lists exists; what exists is listed below.
        head = '# SPDX-License-Identifier: GPL-2.0-only\n'
        rooms = [r for r in spec.ROOMS if any(p.startswith(r + '/') and p.endswith('.c')
                                              for p in new)]
        text = head + spec.TOP_MAKEFILE
        for room in rooms:
            line = 'obj-y += %s/' % room
            text += '%s%s# %s\n' % (line, '\t' * (3 - len(line) // 8), spec.ROOMS[room])
        if 'handlers/Makefile' in self.old:
            text += '\nobj-y += handlers/\n'
        if tests:
            text += ('' if 'handlers/Makefile' in self.old else '\n') + 'obj-y += tests/\n'
        new['Makefile'] = text
        new['Makefile.flags'] = head + spec.FLAGS_COMMENT + '\n'.join(flags) + '\n'
        include = '\ninclude $(srctree)/%s/Makefile.flags\n' % LKST
        listed = set()
        for room in rooms:
            text = head + include
            if per_room.get(room):
                text += '\n'
                for line in per_room[room]:
                    comment = spec.FLAG_COMMENTS.get(line)
                    text += (comment or '') + line + '\n'
            text += '\n'
            for cond, objects in spec.OBJECTS[room]:
                have = [o for o in objects if '%s/%s.c' % (room, o) in new]
                listed.update('%s/%s.c' % (room, o) for o in have)
                if have:
                    text += 'obj-%s += %s\n' % (cond, ' '.join(o + '.o' for o in have))
            new[room + '/Makefile'] = text
        for path in new:
            if path.endswith('.c') and path.split('/')[0] in spec.OBJECTS and path not in listed:
                self.lost('%s is in no Makefile' % path)
        if 'handlers/Makefile' in self.old:
            text = self.old['handlers/Makefile']
            line = 'ccflags-remove-$(CONFIG_FUNCTION_TRACER) += $(CC_FLAGS_FTRACE)\n'
            new['handlers/Makefile'] = cut(text, line, self.where).replace(
                head + '\n', head + include)
        if tests:
            text = head + include
            if per_room.get('tests'):
                text += '\n'
                for line in per_room['tests']:
                    text += spec.FLAG_COMMENTS.get(line, '') + line + '\n'
            new['tests/Makefile'] = text + '\n' + '\n'.join(tests) + '\n'


# === The repository ===

def git(repo, *args, data=None, env=None, text=True):
    e = dict(os.environ, **(env or {}))
    r = subprocess.run(['git', '-C', repo] + list(args), input=data, stdout=subprocess.PIPE,
                       env=e, check=True, text=text)
    return r.stdout


def read_tree(repo, commit, under):
    files = {}
    for line in git(repo, 'ls-tree', '-r', commit, under).splitlines():
        meta, path = line.split('\t')
        files[path] = meta.split()
    return files


def contents(repo, tree):
    """The texts of the files of read_tree(), with one call of git."""
    out = git(repo, 'cat-file', '--batch', text=False,
              data=''.join(meta[2] + '\n' for meta in tree.values()).encode())
    texts, at = {}, 0
    for path in tree:
        end = out.index(b'\n', at)
        size = int(out[at:end].split()[2])
        texts[path] = out[end + 1:end + 1 + size].decode()
        at = end + 1 + size + 1
    return texts


def store(repo, new):
    """Puts texts into the repository: {path: blob}."""
    with tempfile.TemporaryDirectory() as d:
        names = []
        for i, text in enumerate(new.values()):
            names.append(os.path.join(d, str(i)))
            with open(names[-1], 'w') as f:
                f.write(text)
        blobs = git(repo, 'hash-object', '-w', '--no-filters', '--stdin-paths',
                    data=''.join(n + '\n' for n in names)).split()
    return dict(zip(new, blobs))


def room_of(spec, repo, commit, subject):
    tree = read_tree(repo, commit, LKST + '/')
    old = {p[len(LKST) + 1:]: t for p, t in contents(repo, tree).items()}
    return Rooms(spec, old, subject).make() if old else {}


def other_texts(spec, repo, commit):
    """Files elsewhere that name what has moved."""
    out = {}
    for path, pairs in spec.ELSEWHERE.items():
        entry = read_tree(repo, commit, path).get(path)
        if not entry:
            continue
        text = git(repo, 'show', '%s:%s' % (commit, path))
        for a, b in pairs:
            text = text.replace(a, b)
        out[path] = (entry[0], text)
    return out


def rewrite(spec, source, target):
    if os.path.exists(target):
        sys.exit('%s is there already' % target)
    subprocess.run(['git', 'clone', '-q', '--no-hardlinks', source, target], check=True)
    for key, default in (('user.name', 'LKST'), ('user.email', 'lkst@example.org')):
        value = subprocess.run(['git', '-C', source, 'config', key], stdout=subprocess.PIPE,
                               text=True).stdout.strip() or default
        git(target, 'config', key, value)
    head = git(target, 'rev-parse', 'HEAD').strip()
    parent, memo, errors = None, {}, 0
    index = {'GIT_INDEX_FILE': os.path.abspath(os.path.join(target, '.git', 'roomify-index'))}
    for commit in git(target, 'rev-list', '--reverse', '--topo-order', head).split():
        subject = git(target, 'log', '-1', '--format=%s', commit).strip()
        body = git(target, 'log', '-1', '--format=%B', commit)
        if body.endswith('\n\n'):
            body = body[:-1]
        tree = git(target, 'ls-tree', commit, LKST).split()
        key = tree[2] if tree else None
        if key not in memo:
            try:
                memo[key] = store(target, room_of(spec, target, commit, subject)) if key else {}
            except Lost as e:
                print('roomify: %s' % e, file=sys.stderr)
                errors += 1
                memo[key] = None
        if memo[key] is None:
            continue
        git(target, 'read-tree', commit, env=index)
        info = ''
        for path in read_tree(target, commit, LKST + '/') if key else ():
            info += '0 %s\t%s\n' % ('0' * 40, path)
        for path, blob in memo[key].items():
            info += '100644 %s\t%s/%s\n' % (blob, LKST, path)
        for path, (mode, text) in other_texts(spec, target, commit).items():
            blob = git(target, 'hash-object', '-w', '--stdin', data=text).strip()
            info += '%s %s\t%s\n' % (mode, blob, path)
        if info:
            git(target, 'update-index', '--index-info', data=info, env=index)
        new = git(target, 'write-tree', env=index).strip()
        who = git(target, 'log', '-1', '--format=%an%n%ae%n%ad%n%cn%n%ce%n%cd', '--date=raw',
                  commit).split('\n')
        env = dict(zip(('GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_AUTHOR_DATE',
                        'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL', 'GIT_COMMITTER_DATE'), who))
        args = ['commit-tree', new] + (['-p', parent] if parent else [])
        parent = git(target, *args, data=body, env=env).strip()
    if errors:
        sys.exit('roomify: %d states of the folder have something that is in no table of roomspec.py' % errors)
    git(target, 'checkout', '-q', '-B', 'rooms', parent)


def write(out, new):
    for path, text in new.items():
        path = os.path.join(out, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as f:
            f.write(text)


def main():
    import roomspec as spec
    if len(sys.argv) == 4 and sys.argv[1] == '--folder':
        old = {}
        for root, _, names in os.walk(sys.argv[2]):
            for name in names:
                path = os.path.relpath(os.path.join(root, name), sys.argv[2])
                with open(os.path.join(root, name)) as f:
                    old[path] = f.read()
        try:
            write(sys.argv[3], Rooms(spec, old, sys.argv[2]).make())
        except Lost as e:
            sys.exit('roomify: %s' % e)
    elif len(sys.argv) == 3:
        rewrite(spec, sys.argv[1], sys.argv[2])
    elif len(sys.argv) == 4:
        repo, out, commit = sys.argv[1:]
        subject = git(repo, 'log', '-1', '--format=%s', commit).strip()
        try:
            new = room_of(spec, repo, commit, subject)
        except Lost as e:
            sys.exit('roomify: %s' % e)
        write(out, new)
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    main()
