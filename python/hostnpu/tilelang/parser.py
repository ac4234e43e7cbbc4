# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Reads a kernel function statement by statement and calls the C++ builder.

Statements have TileLang's meaning and are handled here. Expressions are Python: each is compiled as it
stands (with `and`, `or`, `not` and `a if c else b` made to work on run-time values) and evaluated in the
names that are visible at that place; run-time values are objects that overload the operators. A name
bound in a block disappears with the block.
"""

from __future__ import annotations

import ast
import builtins
import inspect

from .. import _native
from . import context, frames
from .errors import TileLangError, error_class
from .source import Source, read_source

_MISSING = object()
_NOWHERE = (0, 0, 0, 0, 0)


class _Logic(ast.NodeTransformer):
    """Makes the forms that Python decides at once work on values it does not know."""

    def _call(self, node, name, args):
        call = ast.Call(ast.Name(name, ast.Load()), args, [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def _lazy(self, node):
        empty = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        return ast.fix_missing_locations(ast.copy_location(ast.Lambda(empty, node), node))

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        name = "__tl_and__" if isinstance(node.op, ast.And) else "__tl_or__"
        return self._call(node, name, [self._lazy(value) for value in node.values])

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return self._call(node, "__tl_not__", [node.operand]) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        return self._call(node, "__tl_if__", [node.test, self._lazy(node.body), self._lazy(node.orelse)])

    def visit_Compare(self, node):
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        sides = [node.left, *node.comparators]
        links = [
            ast.copy_location(ast.Compare(sides[i], [op], [sides[i + 1]]), node) for i, op in enumerate(node.ops)
        ]
        return self._call(node, "__tl_and__", [self._lazy(link) for link in links])


def _and(*sides):
    result = sides[0]()
    for side in sides[1:]:
        if _native.is_runtime(result):
            result = _native.binary("and", result, side())
        elif result:
            result = side()
        else:
            return result
    return result


def _or(*sides):
    result = sides[0]()
    for side in sides[1:]:
        if _native.is_runtime(result):
            result = _native.binary("or", result, side())
        elif result:
            return result
        else:
            result = side()
    return result


def _not(value):
    return _native.logical_not(value) if _native.is_runtime(value) else not value


def _if(test, body, orelse):
    if _native.is_runtime(test):
        return _native.select(test, body(), orelse(), True)
    return body() if test else orelse()


_LOGIC = {"__tl_and__": _and, "__tl_or__": _or, "__tl_not__": _not, "__tl_if__": _if}
_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip


class Code:
    """A function of the user that is read rather than run: its AST, the names it sees."""

    def __init__(self, func, frame):
        self.func = func
        self.name = func.__name__
        self.source: Source = read_source(func)
        self.frame_names = {} if frame is None or frame.f_locals is frame.f_globals else dict(frame.f_locals)
        self.compiled = {}

    def names(self) -> dict:
        """Globals, the locals of the factory, and the closure as it is now."""
        names = dict(self.func.__globals__)
        names.update(self.frame_names)
        names.update(_LOGIC)
        if self.func.__closure__:
            for name, cell in zip(self.func.__code__.co_freevars, self.func.__closure__):
                try:
                    names[name] = cell.cell_contents
                except ValueError:  # a name that the factory has not bound yet
                    pass
        names.setdefault("__builtins__", builtins)
        return names

    def compile(self, node):
        code = self.compiled.get(node)
        if code is None:
            expression = ast.Expression(_Logic().visit(node))
            code = compile(expression, self.source.path, "eval")
            self.compiled[node] = code
        return code


class Reader:
    """Reads the body of one Code into a builder."""

    def __init__(self, builder, code: Code, files: dict, depth: int = 0):
        self.builder = builder
        self.code = code
        self.files = files
        self.depth = depth
        self.names = code.names()
        self.undo = [{}]
        self.if_states = []
        self.fresh = []  # buffers allocated by the statement at work
        self.made = []  # operations made by the statement at work
        path = code.source.path
        if path not in files:
            files[path] = builder.add_file(path, code.source.lines)
        self.file = files[path]

    # -- names -------------------------------------------------------------------------------------

    def bind(self, name: str, value) -> None:
        scope = self.undo[-1]
        if name not in scope:
            scope[name] = self.names.get(name, _MISSING)
        self.names[name] = value

    def push_scope(self) -> None:
        self.undo.append({})

    def pop_scope(self) -> None:
        for name, value in self.undo.pop().items():
            if value is _MISSING:
                self.names.pop(name, None)
            else:
                self.names[name] = value

    def evaluate(self, node):
        return eval(self.code.compile(node), self.names)  # noqa: S307: the user's own expression

    # -- places ------------------------------------------------------------------------------------

    def range_of(self, node):
        return (self.file, node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1)

    def head_range(self, node):
        """The first line of a compound statement."""
        line = node.lineno
        text = self.code.source.lines[line - 1]
        return (self.file, line, node.col_offset + 1, line, len(text.rstrip()) + 1)

    def locate(self, error: BaseException, node):
        """Where in the kernel function an exception came from: the expression at work, else the statement."""
        place = None
        trace = error.__traceback__
        while trace is not None:
            frame = trace.tb_frame
            if frame.f_globals is self.names and frame.f_code.co_filename == self.code.source.path:
                positions = list(frame.f_code.co_positions())[trace.tb_lasti // 2]
                if None not in positions:
                    line, end_line, column, end_column = positions
                    place = (self.file, line, column + 1, end_line, end_column + 1)
                break
            trace = trace.tb_next
        return place or self.head_range(node)

    def located(self, error: Exception, node) -> TileLangError:
        place = self.locate(error, node)
        known = isinstance(error, TileLangError)
        message = error.message if known else str(error)
        if not known and not isinstance(error, (AssertionError, ValueError, NotImplementedError)):
            message = f"{type(error).__name__}: {message}"
        notes = error.notes if known else []
        help_text = error.help if known else ""
        text = self.builder.format_error(place, message, notes, help_text)
        return error_class(type(error))(message, notes, help_text, text)

    def fail(self, message: str, builtin=ValueError, help: str = ""):
        raise error_class(builtin)(message, (), help)

    # -- statements --------------------------------------------------------------------------------

    def body(self, statements) -> None:
        for statement in statements:
            self.statement(statement)

    def block(self, statements) -> None:
        self.push_scope()
        try:
            self.body(statements)
        finally:
            self.pop_scope()

    def statement(self, node) -> None:
        handler = getattr(self, "on_" + type(node).__name__, None)
        compound = hasattr(node, "body")
        self.builder.set_range(self.head_range(node) if compound else self.range_of(node))
        self.fresh = []
        self.made = []
        try:
            if handler is None:
                self.fail(f"a {type(node).__name__} statement cannot stand in a kernel function", NotImplementedError)
            handler(node)
        except TileLangError as error:
            if error.located:
                raise
            raise self.located(error, node) from None
        except Exception as error:
            raise self.located(error, node) from error

    def on_Pass(self, node):
        pass

    def on_Expr(self, node):
        value = self.evaluate(node.value)
        if value is None and self.made:
            value = self.made  # a helper that made operations and returned nothing
        self.emit(value)

    def emit(self, value) -> None:
        if isinstance(value, _native.Stmt):
            self.builder.emit(value)
        elif isinstance(value, (list, tuple)):
            for item in value:
                self.emit(item)

    def on_Assign(self, node):
        value = self.evaluate(node.value)
        for target in node.targets:
            self.assign(target, value)

    def on_AnnAssign(self, node):
        if node.value is None or not isinstance(node.target, ast.Name):
            self.fail("an annotation in a kernel function stands on a name that gets a value")
        value = self.evaluate(node.value)
        annotation = self.evaluate(node.annotation)
        dtype = getattr(annotation, "dtype_name", None)
        if dtype is None or not _native.is_value(value):
            self.assign(node.target, value)
        else:
            self.bind(node.target.id, self.builder.bind_typed(node.target.id, dtype, value))

    def assign(self, target, value) -> None:
        if isinstance(target, ast.Name):
            self.assign_name(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.assign_tuple(target, value)
        elif isinstance(target, ast.Subscript):
            self.assign_element(target, value)
        else:
            self.fail(f"a kernel function cannot assign to a {type(target).__name__}")

    def is_scalar_buffer(self, value) -> bool:
        return isinstance(value, _native.Buffer) and value.is_scalar

    def is_fresh(self, value) -> bool:
        return any(value is buffer for buffer in self.fresh)

    def assign_name(self, name: str, value) -> None:
        if self.is_fresh(value):
            self.builder.rename(value, name)
            self.bind(name, value)
            return
        current = self.names.get(name)
        if self.is_scalar_buffer(current) and _native.is_value(value):
            self.builder.emit(self.builder.store(current, (0,), value))
        elif self.is_scalar_buffer(value) or isinstance(value, _native.Expr):
            self.bind(name, self.bind_value(name, value))
        else:
            self.bind(name, value)

    def bind_value(self, name: str, value):
        # Before T.Kernel nothing runs yet: sizes are calculated, and may go into the launch.
        if not self.builder.in_kernel and isinstance(value, _native.Expr):
            return value
        return self.builder.bind(name, value)

    def assign_tuple(self, target, value) -> None:
        try:
            values = list(value)
        except TypeError:
            self.fail(f"{len(target.elts)} names are given, but the right side is one value", TypeError)
        if any(isinstance(element, ast.Starred) for element in target.elts):
            self.fail("a starred name cannot stand on the left side in a kernel function", NotImplementedError)
        if len(values) != len(target.elts):
            self.fail(f"{len(target.elts)} names are given, but the right side has {len(values)} values")
        for element, item in zip(target.elts, values):
            self.assign(element, item)

    def element_of(self, target):
        """(buffer, indices) of `buf[i, j]` on a left side; (object, None) for a Python container."""
        holder = self.evaluate(target.value)
        index = self.evaluate(target.slice)
        if not isinstance(holder, _native.Buffer):
            return holder, index, None
        indices = index if isinstance(index, tuple) else (index,)
        if any(isinstance(item, slice) for item in indices):
            self.fail(
                f"a region of '{holder.name}' cannot be assigned to",
                NotImplementedError,
                "copy with T.copy, fill with T.tile.fill, or assign elements in a loop",
            )
        return holder, index, indices

    def assign_element(self, target, value) -> None:
        holder, index, indices = self.element_of(target)
        if indices is None:
            if isinstance(holder, (list, dict)):
                holder[index] = value
                return
            self.fail(f"an element of a {type(holder).__name__} cannot be assigned to", TypeError)
        self.builder.emit(self.builder.store(holder, indices, value))

    def on_AugAssign(self, node):
        symbol = _OPERATORS.get(type(node.op))
        if symbol is None:
            self.fail(f"the operator {type(node.op).__name__} is not defined on run-time values", NotImplementedError)
        value = self.evaluate(node.value)
        if isinstance(node.target, ast.Subscript):
            holder, index, indices = self.element_of(node.target)
            if indices is None:
                holder[index] = self.combine(symbol, holder[index], value)
                return
            old = holder[indices if len(indices) > 1 else indices[0]]
            self.builder.emit(self.builder.store(holder, indices, _native.binary(symbol, old, value)))
            return
        if not isinstance(node.target, ast.Name):
            self.fail(f"a kernel function cannot assign to a {type(node.target).__name__}")
        name = node.target.id
        if name not in self.names:
            self.fail(f"name '{name}' is not defined")
        self.assign_name(name, self.combine(symbol, self.names[name], value))

    def combine(self, symbol, old, value):
        if _native.is_value(old) and _native.is_value(value):
            if _native.is_runtime(old) or _native.is_runtime(value):
                return _native.binary(symbol, old, value)
        return eval(f"a {symbol} b", {"a": old, "b": value})  # noqa: S307: one of our own operators

    def on_If(self, node):
        test = self.evaluate(node.test)
        if not _native.is_runtime(test):
            self.block(node.body if test else node.orelse)
            return
        place = self.head_range(node)
        self.builder.open()
        self.block(node.body)
        then_body = self.builder.close()
        else_body = None
        if node.orelse:
            self.builder.open()
            self.block(node.orelse)
            else_body = self.builder.close()
        self.builder.set_range(place)
        self.builder.emit_if(test, then_body, else_body)

    def on_While(self, node):
        if node.orelse:
            self.fail("a loop of a kernel function has no else")
        test = self.evaluate(node.test)
        if not _native.is_runtime(test) and not test:
            return
        self.builder.open_loop(False)
        self.block(node.body)
        self.builder.set_range(self.head_range(node))
        self.builder.close_while(test)

    def on_For(self, node):
        if node.orelse:
            self.fail("a loop of a kernel function has no else")
        loop = self.loop_of(node.iter)
        reader = getattr(self, "read_" + type(loop).__name__, None)
        if reader is not None:
            reader(node, loop)
        else:
            self.unroll(node, loop)

    def loop_of(self, node):
        if isinstance(node, ast.Call) and self.evaluate(node.func) is range:
            args = [self.evaluate(arg) for arg in node.args]
            if node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args) or not 1 <= len(args) <= 3:
                self.fail("range takes a stop, or a start and a stop, or a start, a stop and a step")
            start, stop = (0, args[0]) if len(args) == 1 else args[:2]
            return frames.SerialLoop(start, stop, args[2] if len(args) == 3 else 1)
        return self.evaluate(node)

    def loop_names(self, node, count: int):
        target = node.target
        elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        if len(elements) != count or not all(isinstance(element, ast.Name) for element in elements):
            self.fail(f"the loop gives {count} values, but {len(elements)} names are given")
        return [element.id for element in elements]

    def loop_body(self, names, variables, statements) -> None:
        self.push_scope()
        try:
            for name, variable in zip(names, variables):
                self.bind(name, variable)
            self.body(statements)
        finally:
            self.pop_scope()

    def read_SerialLoop(self, node, loop):
        (name,) = self.loop_names(node, 1)
        variable = _native.variable(name, "int32")
        step = loop.step
        if _native.is_runtime(step) or not isinstance(step, int):
            self.fail("the step of a loop is a positive constant")
        self.builder.open_loop(False)
        self.loop_body([name], [variable], node.body)
        self.builder.set_range(self.head_range(node))
        self.builder.close_for(variable, loop.start, loop.stop, step)

    def read_PipelinedLoop(self, node, loop):
        (name,) = self.loop_names(node, 1)
        variable = _native.variable(name, "int32")
        self.builder.open_loop(False)
        self.loop_body([name], [variable], node.body)
        self.builder.set_range(self.head_range(node))
        self.builder.close_pipelined(variable, loop.start, loop.stop, loop.num_stages, loop.cross_interval)

    def read_ParallelLoop(self, node, loop):
        names = self.loop_names(node, len(loop.extents))
        variables = [_native.variable(name, "int32") for name in names]
        self.builder.open_loop(True)
        self.loop_body(names, variables, node.body)
        self.builder.set_range(self.head_range(node))
        self.builder.close_parallel(variables, loop.extents)

    def read_GridLoop(self, node, loop):
        names = self.loop_names(node, len(loop.extents))
        variables = [_native.variable(name, "int32") for name in names]
        for _ in variables:
            self.builder.open_loop(False)
        self.loop_body(names, variables, node.body)
        self.builder.set_range(self.head_range(node))
        for variable, extent in zip(reversed(variables), reversed(loop.extents)):
            self.builder.close_for(variable, 0, extent, 1)

    def read_PersistentLoop(self, node, loop):
        """Waves of blocks over a domain: linear id L = wave * wave_size + index, while L is inside."""
        names = self.loop_names(node, len(loop.domain))
        total = 1
        for size in loop.domain:
            total = total * size
        wave = _native.variable("wave", "int32")
        self.builder.open_loop(False)
        linear = self.builder.bind("tile", wave * loop.wave_size + loop.index)
        self.builder.open()
        coordinates = persistent_coordinates(loop, linear)
        bound = [self.builder.bind(name, value) for name, value in zip(names, coordinates)]
        self.loop_body(names, bound, node.body)
        self.builder.set_range(self.head_range(node))
        inside = self.builder.close()
        self.builder.emit_if(_native.binary("<", linear, total), inside, None)
        waves = (total + loop.wave_size - 1) // loop.wave_size
        self.builder.close_for(wave, 0, waves, 1)

    def unroll(self, node, items) -> None:
        """A loop over Python values is written out."""
        try:
            values = list(items)
        except TypeError:
            self.fail(f"a loop cannot run over a {type(items).__name__}", TypeError)
        for value in values:
            self.builder.open()
            self.push_scope()
            try:
                self.assign(node.target, value)
                self.body(node.body)
            finally:
                self.pop_scope()
            self.builder.emit(self.builder.close())

    def on_With(self, node):
        self.with_items(node, list(node.items))

    def with_items(self, node, items) -> None:
        if not items:
            self.body(node.body)
            return
        item, rest = items[0], items[1:]
        frame = self.evaluate(item.context_expr)
        reader = getattr(self, "enter_" + type(frame).__name__, None)
        if reader is None:
            self.fail(f"'with' cannot stand on a {type(frame).__name__} in a kernel function", TypeError)
        reader(node, item, frame, rest)

    def enter_KernelFrame(self, node, item, frame, rest):
        self.builder.begin_kernel(frame.blocks, frame.threads)
        target = item.optional_vars
        elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target] if target else []
        wanted = 1 if frame.threads else 2
        names = [element.id if isinstance(element, ast.Name) else None for element in elements]
        if None in names or len(names) not in (0, 1, wanted):
            self.fail(
                f"T.Kernel gives {'the block id' if wanted == 1 else 'the block id and the vector core'}, but "
                f"{len(names)} names are given"
            )
        self.builder.set_launch_names(names[0] if names else "cid", names[1] if len(names) > 1 else "vid")
        self.push_scope()
        try:
            if len(names) == 1 and wanted == 2:
                self.bind(names[0], (self.builder.cid, self.builder.vid))
            else:
                for name, value in zip(names, (self.builder.cid, self.builder.vid)):
                    self.bind(name, value)
            self.with_items(node, rest)
        finally:
            self.pop_scope()

    def enter_ScopeFrame(self, node, item, frame, rest):
        place = self.head_range(node)
        self.builder.open_scope(frame.cube)
        self.push_scope()
        try:
            self.with_items(node, rest)
        finally:
            self.pop_scope()
        self.builder.set_range(place)
        self.builder.close_scope()

    def enter_IfFrame(self, node, item, frame, rest):
        place = self.head_range(node)
        state = frames.IfState()
        self.if_states.append(state)
        self.builder.open()
        try:
            self.with_items(node, rest)
        finally:
            self.if_states.pop()
        self.builder.close()  # what stands between T.If and T.Then: nothing but the two
        if state.then_body is None and state.else_body is None:
            self.fail("T.If has neither T.Then nor T.Else")
        if state.then_body is None:
            self.builder.open()
            state.then_body = self.builder.close()
        self.builder.set_range(place)
        self.builder.emit_if(frame.condition, state.then_body, state.else_body)

    def branch(self, node, rest, name):
        if not self.if_states:
            self.fail(f"{name} stands outside T.If")
        state = self.if_states[-1]
        self.builder.open()
        self.push_scope()
        try:
            self.with_items(node, rest)
        finally:
            self.pop_scope()
        return state, self.builder.close()

    def enter_ThenFrame(self, node, item, frame, rest):
        state, state_body = self.branch(node, rest, "T.Then")
        state.then_body = state_body

    def enter_ElseFrame(self, node, item, frame, rest):
        state, state_body = self.branch(node, rest, "T.Else")
        state.else_body = state_body

    def on_Assert(self, node):
        test = self.evaluate(node.test)
        message = str(self.evaluate(node.msg)) if node.msg is not None else ast.unparse(node.test)
        if _native.is_runtime(test):
            self.builder.emit(self.builder.assert_(test, message))
        elif not test:
            self.fail(message, AssertionError)

    def on_Return(self, node):
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.fail(f"'{self.code.name}' returns a value, but results go into output parameters", NotImplementedError)

    def on_Break(self, node):
        self.builder.emit(self.builder.loop_exit(True))

    def on_Continue(self, node):
        self.builder.emit(self.builder.loop_exit(False))

    def on_FunctionDef(self, node):
        self.fail(
            f"function '{node.name}' is defined inside a kernel function",
            NotImplementedError,
            "define it outside, before the kernel function",
        )


def persistent_coordinates(loop, linear):
    """The coordinates of a linear id: the last dimension in groups, the others mixed radix before them."""
    *outer, last = loop.domain
    group = min(loop.group_size, last) if isinstance(last, int) else _native.binary("min", loop.group_size, last)
    in_group = linear % group
    rest = linear // group
    coordinates = []
    for size in outer:
        coordinates.append(rest % size)
        rest = rest // size
    return [*coordinates, rest * group + in_group]


MAX_MACRO_DEPTH = 64


def inline_macro(code: Code, args, kwargs) -> None:
    """Reads the body of a macro at the place of the call, with its parameters bound to the arguments."""
    caller = context.parser(f"macro '{code.name}'")
    if caller.depth >= MAX_MACRO_DEPTH:
        raise error_class(ValueError)(f"macro '{code.name}' is nested more than {MAX_MACRO_DEPTH} deep")
    try:
        bound = inspect.signature(code.func).bind(*args, **kwargs)
    except TypeError as error:
        raise error_class(TypeError)(f"macro '{code.name}': {error}") from None
    bound.apply_defaults()
    reader = Reader(caller.builder, code, caller.files, caller.depth + 1)
    for name, value in bound.arguments.items():
        reader.bind(name, value)
    context.push(reader)
    caller.builder.open()
    try:
        reader.body(code.source.tree.body)
    finally:
        context.pop()
    body = caller.builder.close()
    caller.builder.emit(body)


def evaluate_annotation(code: Code, annotation):
    if not isinstance(annotation, str):
        return annotation
    return eval(annotation, code.names())  # noqa: S307: `from __future__ import annotations` of the user


def read_kernel(code: Code):
    """The Module of a kernel function, and its tensor annotations by name."""
    builder = _native.Builder(code.name)
    reader = Reader(builder, code, {})
    arguments = code.source.tree.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        raise error_class(TypeError)(f"kernel function '{code.name}' has parameters that are not plain names")
    context.push(reader)
    try:
        for argument in arguments.args:
            builder.set_range(reader.range_of(argument))
            try:
                read_parameter(reader, argument, code.func.__annotations__.get(argument.arg))
            except TileLangError as error:
                raise error if error.located else reader.located(error, argument) from None
        reader.body(code.source.tree.body)
        try:
            return builder.finish(False, False, False, False)
        except TileLangError as error:
            raise reader.located(error, code.source.tree) from None
    finally:
        context.pop()


def read_parameter(reader: Reader, argument, annotation) -> None:
    name = argument.arg
    annotation = evaluate_annotation(reader.code, annotation)
    if hasattr(annotation, "tensor_shape"):
        buffer = reader.builder.add_tensor(name, annotation.dtype, annotation.tensor_shape)
        reader.bind(name, buffer)
    elif hasattr(annotation, "dtype_name"):
        reader.bind(name, reader.builder.add_scalar(name, annotation.dtype_name))
    elif annotation in (int, float, bool):
        dtype = {int: "int32", float: "float32", bool: "bool"}[annotation]
        reader.bind(name, reader.builder.add_scalar(name, dtype))
    else:
        reader.fail(
            f"parameter '{name}' of kernel function '{reader.code.name}' has no type",
            TypeError,
            "annotate it with T.Tensor(shape, dtype), or T.int32 and the like for a scalar",
        )
