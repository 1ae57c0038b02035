/** Recorded definitions with rules, objects of their kinds, and the answers of the reference. */
import type { JsonObject, Schema } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { scenariosOf } from '../recorded-scenarios.js';

interface Cause {
  readonly field: string;
  readonly message: string;
}

export interface RecordedDefinition {
  readonly step: string;
  readonly accepted: boolean;
  readonly schema: Schema;
  readonly causes: readonly Cause[];
}

export interface RecordedObject {
  readonly step: string;
  readonly schema: Schema;
  readonly object: JsonObject;
  readonly causes: readonly Cause[];
}

/** Reads the recorded requests that create objects, and the definitions of their kinds. */
export function recordedRules(): { definitions: RecordedDefinition[]; objects: RecordedObject[] } {
  const definitions: RecordedDefinition[] = [];
  const objects: RecordedObject[] = [];
  for (const { name, steps } of scenariosOf('cel')) {
    const schemas = new Map<string, Schema>();
    for (const [i, { request, response }] of steps.entries()) {
      const body = request?.body;
      if (request?.method !== 'POST' || !isObject(body)) continue;
      const path = request.path.split('?')[0] ?? '';
      const step = `${name} (${i})`;
      const causes = causesOf(response?.body);
      if (!path.endsWith('/customresourcedefinitions')) {
        const schema = schemas.get(path.split('/').at(-1) ?? '');
        if (schema !== undefined && response !== undefined && response.status !== 400) {
          objects.push({ step, schema, object: body, causes });
        }
        continue;
      }
      for (const { plural, schema } of schemasIn(body)) {
        schemas.set(plural, schema);
        if (response === undefined || response.status === 400) continue;
        definitions.push({ step, accepted: response.status === 201, schema, causes });
      }
    }
  }
  return { definitions, objects };
}

function causesOf(body: JsonObject | undefined): readonly Cause[] {
  const details = body?.details;
  const causes = body?.['details.causes'] ?? (isObject(details) ? details.causes : undefined);
  if (!Array.isArray(causes)) return [];
  return causes.flatMap((cause) =>
    isObject(cause) ? [{ field: String(cause.field), message: String(cause.message) }] : [],
  );
}

function schemasIn(definition: JsonObject): { plural: string; schema: Schema }[] {
  const { spec } = definition;
  if (!isObject(spec) || !Array.isArray(spec.versions) || !isObject(spec.names)) return [];
  const plural = String(spec.names.plural);
  return spec.versions.flatMap((version) => {
    if (!isObject(version) || !isObject(version.schema) || !isObject(version.schema.openAPIV3Schema)) return [];
    return [{ plural, schema: version.schema.openAPIV3Schema }];
  });
}

/** Lists the values in an object that a rule applies to. */
export function valuesAt(value: unknown, path: string): unknown[] {
  if (path === '') return [value];
  const match = /^(?:properties\[([^\]]+)\]|(items)|(additionalProperties))\.?(.*)$/.exec(path);
  const [, name, items, , rest = ''] = match ?? [];
  if (items !== undefined) return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  if (!isObject(value)) return [];
  if (name !== undefined) return Object.hasOwn(value, name) && value[name] !== null ? valuesAt(value[name], rest) : [];
  return Object.values(value).flatMap((item) => valuesAt(item, rest));
}
