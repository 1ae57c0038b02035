/** ConfigMap: rules for keys and size, and data that was made immutable. */
import { defineConfigMapHandlers } from '../../generated/core/v1/configmaps/handlers.js';
import type { ConfigMap } from '../../generated/core/v1/configmaps/types.js';
import type { DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { tooLong } from '../../runtime/objects/field-error.js';
import { countKeys, decodedLength, immutableErrors, keyErrors, maxDataBytes } from './data-keys.js';

type ConfigMapDraft = DraftObject<ConfigMap>;

export const defineConfigMaps = (): KindHandlers =>
  defineConfigMapHandlers({
    changesFirst: true,
    repeatsMetadataErrors: true,
    validate: (map) => [...dataErrors(map), ...sizeErrors(map)],
    validateUpdate: (map, old) => immutableErrors(map, old, ['data', 'binaryData']),
    columns: { Data: ({ data, binaryData }) => countKeys(data, binaryData) },
  });

/** A key is in one of the two maps only. */
function dataErrors({ data, binaryData = {} }: ConfigMapDraft): readonly FieldError[] {
  const twice = (key: string): readonly string[] =>
    Object.hasOwn(binaryData, key) ? ['duplicate of key present in binaryData'] : [];
  return [...keyErrors(data, 'data', twice), ...keyErrors(binaryData, 'binaryData')];
}

/** The maps together have a largest size. The empty path says that the error is about the whole object. */
function sizeErrors({ data = {}, binaryData }: ConfigMapDraft): readonly FieldError[] {
  const texts = Object.values(data).reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
  return texts + decodedLength(binaryData) > maxDataBytes ? [tooLong('', maxDataBytes)] : [];
}
