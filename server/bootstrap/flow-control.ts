/**
 * Flow schemas and priority levels. The server always restores the mandatory ones. It restores the suggested ones while
 * their annotation allows this.
 */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { isArray, isObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import {
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
} from '../../strategies/flowcontrol.platform.io/mandatory-flow-control.js';
import {
  type BootstrapHook,
  type BootstrapParts,
  type BringIntoLine,
  ensureInFirst,
  type WantedObject,
} from './ensure-objects.js';
import { flowSchemasUntil, suggestedFlowSchemas, suggestedPriorityLevels } from './suggested-flow-control.js';

export const flowControl: BootstrapHook = {
  name: 'priority-and-fairness-config-producer',
  everySeconds: 60,
  async run(parts) {
    // Levels first, so that no schema names a level that does not exist.
    await ensure(parts, 'PriorityLevelConfiguration', mandatoryPriorityLevels, suggestedPriorityLevels);
    const schemas = [...suggestedFlowSchemas].filter(([name]) =>
      parts.release.has({ removed: flowSchemasUntil.get(name) }),
    );
    await ensure(parts, 'FlowSchema', mandatoryFlowSchemas, new Map(schemas));
  },
};

const autoupdate = 'apf.platform.io/autoupdate-spec';

type Specs = ReadonlyMap<string, JsonObject>;

async function ensure(
  { client, naming }: BootstrapParts,
  kind: string,
  mandatory: Specs,
  suggested: Specs,
): Promise<void> {
  const annotation = naming.rename(autoupdate);
  const wanted = [...mandatory, ...suggested].map(
    ([name, spec]): WantedObject => ({
      metadata: { name: naming.rename(name), annotations: { [annotation]: 'true' } },
      spec: served(spec, naming),
    }),
  );
  const bringIntoLine: BringIntoLine = (found, one) => {
    const own = found.metadata.annotations?.[annotation];
    // Without the annotation, an object belongs to the server until somebody first changes its spec.
    const isOurs = own === 'true' || (own === undefined && found.metadata.generation === 1);
    const isMandatory = mandatory.has(one.metadata.name);
    if (!isOurs && !isMandatory) return undefined;
    const spec = withExempt(one.spec, found.spec);
    if (own === 'true' && equal(found.spec, spec)) return undefined;
    const annotations = { ...found.metadata.annotations, [annotation]: 'true' };
    return { ...found, metadata: { ...found.metadata, annotations }, spec };
  };
  const group = naming.rename('flowcontrol.platform.io');
  const plural = `${kind.toLowerCase()}s`;
  await ensureInFirst(client, { group, plural, kind }, versions, wanted, bringIntoLine);
}

/** The versions of both kinds, the best first. */
const versions = ['v1', 'v1beta3', 'v1beta2'];

/** Returns the spec of a level without a limit, with what it reserves and lends now: users may change these fields. */
function withExempt(spec: JsonValue | undefined, found: JsonValue | undefined): JsonValue {
  const { exempt } = isObject(found) ? found : {};
  return isObject(spec) && exempt !== undefined ? { ...spec, exempt } : (spec ?? null);
}

/** Returns a spec with each text under its served name. */
function served(value: JsonValue, naming: Naming): JsonValue {
  if (typeof value === 'string') return naming.rename(value);
  if (isArray(value)) return value.map((item) => served(item, naming));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, served(item ?? null, naming)]));
}
