/** The functions of a structural kind. */
import type { Node } from '../node.js';
import { entryPath, keyPath, type Position } from './access.js';
import { DefaultsEmitter } from './defaults.js';
import { quoted } from './literal.js';
import type { ModuleCode } from './module-code.js';
import { NormalizeEmitter } from './normalize.js';
import { PruneEmitter } from './prune.js';
import { combines, hasEmbedded, isEmbedded, isKeyedList, type Trait } from './traits.js';
import { ValidateEmitter } from './validate.js';
import { type Walk, WalkEmitter } from './walk.js';

const statement = (call: string): string[] => [`${call};`];

/** Keys of maps in the paths of errors that are not about the schema's keywords, and in those of unknown fields. */
const inBrackets = (at: Position): string => (at.root ? `'[' + key + ']'` : entryPath);

/** The schema of a structural kind, and what its functions are named after. */
export interface StructuralSource {
  readonly root: Node;
  readonly objectMeta: Node;
  readonly hint: string;
}

/** Emits all functions, those that are read last first. */
export function emitStructural(code: ModuleCode, source: StructuralSource): void {
  emitValidate(code, source);
  const defaults = new DefaultsEmitter(code, true).root(source.root);
  code.offer('applyDefaults', { parameters: [['object', 'JsonObject']], returns: 'void', body: defaults });
  emitPrune(code, source);
  if (hasEmbedded(source.root)) emitNormalize(code, source);
}

function emitNormalize(code: ModuleCode, { root, objectMeta }: StructuralSource): void {
  const reader = new NormalizeEmitter(code, 'v1').struct(objectMeta, 'ObjectMeta');
  const read = (value: string, path: string): string => `${code.use('readEmbedded')}(${value}, ${path}, ${reader})`;
  const orReturn = (call: string): string[] => [`const wrong = ${call};`, 'if (wrong !== undefined) return wrong;'];
  const walk = new WalkEmitter(code, {
    name: 'readEmbeddedIn',
    parameters: [],
    returns: 'TypeMismatch | undefined',
    wanted: isEmbedded,
    visit: (_node, value, path) => orReturn(read(value, path)),
    call: orReturn,
    end: 'return undefined;',
    keyPath: inBrackets,
  });
  const body = [...walk.root(root), 'return undefined;'];
  code.offer('normalize', { parameters: [['object', 'JsonObject']], returns: 'TypeMismatch | undefined', body });
}

function emitPrune(code: ModuleCode, { root, objectMeta, hint }: StructuralSource): void {
  const prune = new PruneEmitter(code);
  const own = definePart(code, `pruneUnknownOf${hint}`, 'unknown', prune.root(root));
  const body = pruneCall(code, 'unknown', true, own);
  if (hasEmbedded(root)) {
    const visit: Walk['visit'] = (_node, value, path) => {
      const metadata = `${code.use('field')}(${value}, 'metadata')`;
      return prune.statement(objectMeta, 'ObjectMeta', metadata, `${code.use('below')}(${path}, 'metadata')`);
    };
    const walk = walkErrors('pruneEmbeddedIn', [['unknown', 'UnknownFields']], isEmbedded, visit, keyPath);
    const embedded = new WalkEmitter(code, walk).root(root);
    body.push(...pruneCall(code, 'inMetadata', true, definePart(code, `pruneMetadataIn${hint}`, 'unknown', embedded)));
  }
  code.offer('prune', { parameters: pruneParameters, returns: 'void', body });
}

/** The parameters of pruning. */
export const pruneParameters = [
  ['object', 'JsonObject'],
  ['report', '(path: string) => void'],
] as const;

/** The parameters of validation. */
export const validateParameters = [
  ['object', 'JsonObject'],
  ['sink', 'ErrorSink'],
] as const;

/** Statements that run a part of pruning and report what it removed. */
export function pruneCall(code: ModuleCode, variable: string, sorted: boolean, part: string): string[] {
  return [
    `const ${variable} = new ${code.use('UnknownFields')}();`,
    `${part}(object, ${variable});`,
    `${variable}.reportTo(report, ${sorted});`,
  ];
}

/** A function of the whole object and a collector. */
export function definePart(
  code: ModuleCode,
  name: string,
  collector: 'unknown' | 'errors',
  body: readonly string[],
): string {
  const type = collector === 'unknown' ? 'UnknownFields' : 'Findings';
  return code.define({
    name,
    parameters: [
      ['object', 'JsonObject'],
      [collector, type],
    ],
    returns: 'void',
    body,
  });
}

/**
 * Keywords come first, then embedded objects, then lists that are sets or maps, each over the whole object. Rules
 * come last, and elsewhere: they are compiled when they are first needed.
 */
function emitValidate(code: ModuleCode, { root, hint }: StructuralSource): void {
  const keywords = new ValidateEmitter(code).root(root, hint);
  const lines = [`const errors = new ${code.use('Findings')}();`, `${keywords}(object, '', errors);`];
  if (combines(root)) lines.push('errors.dropRepeats();');
  const embedded = walkErrors('checkEmbeddedIn', findings, isEmbedded, (_node, value, path) => {
    return [`${code.use('checkEmbedded')}(${value}, ${path}, errors);`];
  });
  const lists = walkErrors('checkListsIn', findings, isKeyedList, (node, value, path) =>
    listCheck(code, node, value, path),
  );
  for (const walk of [embedded, lists]) {
    const body = new WalkEmitter(code, walk).root(root);
    if (body.length > 0) lines.push(`${definePart(code, `${walk.name}${hint}`, 'errors', body)}(object, errors);`);
  }
  lines.push('errors.reportTo(sink);');
  code.offer('validate', { parameters: validateParameters, returns: 'void', body: lines });
}

const findings = [['errors', 'Findings']] as const;

function listCheck(code: ModuleCode, node: Node, value: string, path: string): string[] {
  if (node.schema['x-kubernetes-list-type'] === 'set') return [`${code.use('checkSet')}(${value}, ${path}, errors);`];
  const keys = (node.schema['x-kubernetes-list-map-keys'] ?? []).map(quoted).join(', ');
  return [`${code.use('checkMap')}(${value}, ${path}, [${keys}], errors);`];
}

function walkErrors(
  name: string,
  parameters: Walk['parameters'],
  wanted: Trait,
  visit: Walk['visit'],
  keyPath: Walk['keyPath'] = inBrackets,
): Walk {
  return { name, parameters, returns: 'void', wanted, visit, call: statement, keyPath };
}
