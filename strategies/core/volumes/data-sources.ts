/** What a claimed volume begins with: two fields for one thing, since the older one knows claims and snapshots only. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { hasAt } from '../../shared/reading.js';

/** What dropping depends on. */
export interface DataSourceContext {
  readonly names: Naming;
  readonly featureEnabled: (gate: string) => boolean;
}

/**
 * Brings both fields of a spec that is about to be stored in agreement, in place. What the older field cannot name is
 * dropped from it, and so are sources in other namespaces without their gate; an old spec that has a source keeps it.
 */
export function settleDataSources(
  spec: JsonObject,
  old: JsonObject | undefined,
  { names, featureEnabled }: DataSourceContext,
): void {
  const elsewhere = stringAt(objectAt(spec, 'dataSourceRef'), 'namespace') !== '';
  if (elsewhere && !featureEnabled('CrossNamespaceVolumeDataSource') && !hasAt(old ?? {}, 'dataSourceRef')) {
    delete spec.dataSourceRef;
  }
  const kept = hasAt(old ?? {}, 'dataSource') || hasAt(old ?? {}, 'dataSourceRef');
  if (!kept && hasAt(spec, 'dataSource') && !isClaimOrSnapshot(objectAt(spec, 'dataSource'), names)) {
    delete spec.dataSource;
  }
  if (featureEnabled('AnyVolumeDataSource')) mirrorDataSources(spec);
}

/** Copies the one field into the other where that is empty; a source in another namespace has no older form. */
export function mirrorDataSources(spec: JsonObject): void {
  const [source, reference] = [objectAt(spec, 'dataSource'), objectAt(spec, 'dataSourceRef')];
  if (source && !reference) spec.dataSourceRef = { ...source };
  else if (reference && !source && stringAt(reference, 'namespace') === '') {
    const { namespace: _own, ...local } = reference;
    spec.dataSource = local;
  }
}

function isClaimOrSnapshot(source: JsonObject | undefined, { rename }: Naming): boolean {
  const [group, kind] = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')];
  if (group === '') return kind === 'PersistentVolumeClaim';
  return kind === 'VolumeSnapshot' && group === rename('snapshot.storage.platform.io');
}
