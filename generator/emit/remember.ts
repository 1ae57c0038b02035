/** Keeps what was emitted for a whole model for as long as its input stays the same. */
import type { Model } from '../model/model.js';
import { lazyFile, type OutputFile } from '../write/output-file.js';
import type { Emitter } from './emitter.js';
import { keyOf } from './fingerprint.js';
import { entriesOf } from './layout.js';
import { hasStatusApply } from './types/kind-types.js';

type EmitModel = NonNullable<Emitter['emitModel']>;

/** Emits again only when the items that `dependsOn` lists are others than the last time. */
export const remember = (dependsOn: (model: Model) => readonly unknown[], emit: EmitModel): EmitModel => {
  let last: { readonly items: readonly unknown[]; readonly files: readonly OutputFile[] } | undefined;
  return (model) => {
    const items = dependsOn(model);
    const known = last?.items;
    const isSame = known?.length === items.length && known.every((item, index) => item === items[index]);
    if (last === undefined || !isSame) last = { items, files: emit(model) };
    return last.files;
  };
};

/** A file that can be printed. */
export interface Draft {
  readonly path: string;
  /** Changes with what the file consists of. */
  readonly key: string;
  readonly print: () => OutputFile;
}

/** Prints files; one whose key is that of the last time is the same object. */
export const createPrinter = (): ((drafts: readonly Draft[]) => readonly OutputFile[]) => {
  let printed = new Map<string, { readonly key: string; readonly file: OutputFile }>();
  return (drafts) => {
    const next = drafts.map(({ path, key, print }) => {
      const before = printed.get(path);
      return { path, key, file: before?.key === key ? before.file : print() };
    });
    printed = new Map(next.map((each) => [each.path, each]));
    return next.map(({ file }) => file);
  };
};

/** Emits files that mention nothing of resources but their names. */
export const ofNames =
  (emit: EmitModel): EmitModel =>
  (model) => {
    const key = keyOf(namesOfResources(model));
    return emit(model).map((file) => lazyFile(file.path, key, () => file.content));
  };

/** Everything but schemas that files about all resources mention. */
const namesOfResources = (model: Model): readonly string[] =>
  entriesOf(model).map(({ resource, version }) => {
    const { kind, listKind, plural } = resource.names;
    const properties = version.schema.properties ?? {};
    const has = [properties.spec !== undefined, properties.status !== undefined, hasStatusApply(version)];
    return [resource.group, version.name, version.served, kind, listKind, plural, ...has, ...resource.verbs].join(' ');
  });

/** The shared types; those that have not changed are the same objects. */
export const sharedTypes = (model: Model): readonly unknown[] =>
  [...model.types.values()].flatMap(({ schema, source }) => [schema, source.path, source.hash]);
