/** Reads the parts that a project adds, from values and from modules that it names. */
import { resolve } from 'node:path';
import type { Controller } from '../../../controllers/kit/index.js';
import type { Emitter } from '../../../generator/index.js';
import type { AdmissionPlugin, Authenticator, Authorizer, KindHandlers } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import type { PartKind } from '../project.js';
import { explainImport, type Importer } from './import-file.js';
import type { ConfigPath, Mistake } from './source-place.js';

/** The folder of the configuration, the modules of this load, and the mistakes so far. */
export interface PartContext {
  readonly directory: string;
  readonly importer: Importer;
  readonly refuse: (mistake: Mistake) => void;
}

/** Reads the parts of a list. Refuses other values. */
export async function readParts<K extends PartKind>(
  kind: K,
  key: string,
  value: unknown,
  context: PartContext,
): Promise<readonly PartTypes[K][]> {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    context.refuse({ path: [key], problem: `is ${wordFor(value)}; expected a list` });
    return [];
  }
  const found: PartTypes[K][] = [];
  for (const [index, entry] of value.entries()) {
    const path = [key, index];
    const given = typeof entry === 'string' ? await readModule(entry, path, context) : [entry];
    for (const one of given) {
      const problem = typeof entry === 'string' ? `has ${wordFor(one)} as its default export` : `is ${wordFor(one)}`;
      if (isPart[kind](one)) {
        found.push(one);
        if (typeof entry === 'string') sources.set(one, resolve(context.directory, entry));
      } else context.refuse({ path, problem: `${problem}; expected ${partWords[kind]}` });
    }
  }
  return found;
}

const sources = new WeakMap<object, string>();

/** Returns the module that a part was read from; `undefined` for a value of the configuration. */
export const sourceOf = (part: object): string | undefined => sources.get(part);

/** Reads the default export of a module, as a list. */
async function readModule(
  named: string,
  path: ConfigPath,
  { directory, importer, refuse }: PartContext,
): Promise<readonly unknown[]> {
  const file = resolve(directory, named);
  try {
    const exported = await importer.importDefault(file);
    return Array.isArray(exported) ? exported : [exported];
  } catch (error) {
    refuse({ path, problem: `cannot be imported: ${await explainImport(file, directory, error)}` });
    return [];
  }
}

/** Describes a value in a few words. */
export function wordFor(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return `a function${value.name === '' ? '' : ` (${value.name})`}`;
  if (typeof value === 'object') return `an object with ${Object.keys(value).slice(0, 4).join(', ') || 'no keys'}`;
  return value === undefined ? 'undefined' : (JSON.stringify(value) ?? typeof value);
}

/** The types of parts by their kinds. */
interface PartTypes {
  readonly emitter: Emitter;
  readonly handlers: KindHandlers;
  readonly admissionPlugin: AdmissionPlugin;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly controller: Controller;
}

type Guards = { readonly [K in PartKind]: (value: unknown) => value is PartTypes[K] };

const hasText = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, key) === 'string';

const hasObject = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && isObject(Reflect.get(value, key));

const hasFunction = (value: unknown, ...keys: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && keys.some((key) => typeof Reflect.get(value, key) === 'function');

/** Reports whether a value looks like a part. Does not use the value. */
const isPart: Guards = {
  emitter: (value): value is Emitter => hasText(value, 'name') && hasFunction(value, 'emitResource', 'emitModel'),
  handlers: (value): value is KindHandlers => hasObject(value, 'resource'),
  admissionPlugin: (value): value is AdmissionPlugin => hasText(value, 'name') && hasFunction(value, 'handles'),
  authenticator: (value): value is Authenticator => hasText(value, 'name') && hasFunction(value, 'authenticate'),
  authorizer: (value): value is Authorizer => hasText(value, 'name') && hasFunction(value, 'decide'),
  controller: (value): value is Controller => hasText(value, 'name') && hasFunction(value, 'run'),
};

/** Describes the expected parts. */
const partWords: Readonly<Record<PartKind, string>> = {
  emitter: 'an emitter: an object with a name, and emitResource or emitModel',
  handlers: 'handlers of a kind, as the define…Handlers of its generated code returns them',
  admissionPlugin: 'an admission plugin: an object with a name, handles, and admit or validate',
  authenticator: 'an authenticator: an object with a name and authenticate',
  authorizer: 'an authorizer: an object with a name and decide',
  controller: 'a controller, as defineController of kindforge/client/node makes them',
};
