/** The functions of a typed kind. */
import type { Node } from '../node.js';
import { headFields } from './access.js';
import { DefaultsEmitter } from './defaults.js';
import { GatesEmitter } from './gates.js';
import { ImmutableEmitter } from './immutable.js';
import type { ModuleCode } from './module-code.js';
import { NormalizeEmitter } from './normalize.js';
import { PruneEmitter } from './prune.js';
import { definePart, pruneCall, pruneParameters, validateParameters } from './structural-module.js';
import { combines } from './traits.js';
import { TypedValidateEmitter } from './typed-validate.js';

const object = ['object', 'JsonObject'] as const;

/** The schema of a typed kind, and what its types are called. */
export interface TypedSource {
  readonly root: Node;
  readonly kind: string;
  readonly version: string;
}

/** Emits all functions, those that are read last first. */
export function emitTyped(code: ModuleCode, source: TypedSource): void {
  const { root } = source;
  emitComparison(code, root);
  emitValidate(code, source);
  emitGates(code, root);
  const defaults = new DefaultsEmitter(code, false).root(root);
  code.offer('applyDefaults', { parameters: [object], returns: 'void', body: defaults });
  emitPrune(code, source);
  emitNormalize(code, source);
}

function emitValidate(code: ModuleCode, { root, kind }: TypedSource): void {
  const checked = definePart(
    code,
    `validate${kind}`,
    'errors',
    new TypedValidateEmitter(code).root(root, kind, headFields),
  );
  const lines = [`const errors = new ${code.use('Findings')}();`, `${checked}(object, errors);`];
  if (combines(root)) lines.push('errors.dropRepeats();');
  const body = [...lines, 'errors.reportTo(sink);'];
  code.offer('validate', { parameters: validateParameters, returns: 'void', body });
}

function emitPrune(code: ModuleCode, { root, kind }: TypedSource): void {
  const pruned = definePart(code, `pruneUnknownOf${kind}`, 'unknown', new PruneEmitter(code).root(root));
  const body = pruneCall(code, 'unknown', false, pruned);
  code.offer('prune', { parameters: pruneParameters, returns: 'void', body });
}

function emitNormalize(code: ModuleCode, { root, kind, version }: TypedSource): void {
  const fields = new NormalizeEmitter(code, version).root(root, kind, headFields);
  const reader = code.define({
    name: `normalize${kind}`,
    parameters: [object],
    returns: 'Mismatch | undefined',
    body: [...fields, 'return undefined;'],
  });
  const body = [`return ${code.use('asTypeMismatch')}(${reader}(object));`];
  code.offer('normalize', { parameters: [object], returns: 'TypeMismatch | undefined', body });
}

function emitComparison(code: ModuleCode, root: Node): void {
  const body = new ImmutableEmitter(code).root(root);
  if (body.length === 0) return;
  const parameters = [object, ['old', 'JsonObject'], ['errors', 'ErrorSink']] as const;
  code.offer('validateUpdate', { parameters, returns: 'void', body });
}

function emitGates(code: ModuleCode, root: Node): void {
  const body = new GatesEmitter(code).root(root);
  if (body.length === 0) return;
  const parameters = [object, ['old', 'JsonObject | undefined'], ['enabled', '(gate: string) => boolean']] as const;
  code.offer('dropDisabled', { parameters, returns: 'void', body });
}
