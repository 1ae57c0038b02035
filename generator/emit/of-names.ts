/** Emits files that mention nothing of resources but their names. */
import type { Model } from '../model/model.js';
import { lazyFile } from '../write/output-file.js';
import type { Emitter } from './emitter.js';
import { keyOf } from './fingerprint.js';
import { entriesOf } from './layout.js';
import { hasStatusApply } from './types/kind-types.js';

type EmitModel = NonNullable<Emitter['emitModel']>;

/** The same files, which are printed again only for other names. */
export const ofNames =
  (emit: EmitModel): EmitModel =>
  (model) => {
    const key = keyOf(namesIn(model));
    return emit(model).map((file) => lazyFile(file.path, key, () => file.content));
  };

/** Everything but schemas that files about all resources mention. */
const namesIn = (model: Model): readonly unknown[] =>
  entriesOf(model).map(({ resource, version }) => {
    const { spec, status } = version.schema.properties ?? {};
    const has = [spec !== undefined, status !== undefined, hasStatusApply(version)];
    return [resource.group, resource.names, resource.verbs, version.name, version.served, has];
  });
