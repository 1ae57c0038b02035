/** The data source of a claim: two fields for one thing, since the older one knows claims and snapshots only. */
import type { TypedLocalObjectReference } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import type { ClaimSpec } from './claim-spec.js';

/** The settings that dropping depends on. */
export interface DataSourceContext {
  readonly names: Naming;
  readonly featureEnabled: (gate: string) => boolean;
}

/**
 * Makes both fields of a spec that is about to be stored agree, in place. A kind that the older field cannot name is
 * dropped from it, and so are sources in other namespaces without their gate; an old spec that has a source keeps it.
 */
export function settleDataSources(
  spec: ClaimSpec,
  old: ClaimSpec | undefined,
  { names, featureEnabled }: DataSourceContext,
): void {
  const elsewhere = Boolean(spec.dataSourceRef?.namespace);
  if (elsewhere && !featureEnabled('CrossNamespaceVolumeDataSource') && !old?.dataSourceRef) {
    delete spec.dataSourceRef;
  }
  const kept = old?.dataSource ?? old?.dataSourceRef;
  if (!kept && spec.dataSource && !isClaimOrSnapshot(spec.dataSource, names)) delete spec.dataSource;
  if (featureEnabled('AnyVolumeDataSource')) mirrorDataSources(spec);
}

/** Copies the one field into the other where that is empty; a source in another namespace has no older form. */
export function mirrorDataSources(spec: ClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    const { namespace: _own, ...local } = dataSourceRef;
    spec.dataSource = local;
  }
}

function isClaimOrSnapshot({ apiGroup, kind }: Draft<TypedLocalObjectReference>, { rename }: Naming): boolean {
  if (!apiGroup) return kind === 'PersistentVolumeClaim';
  return kind === 'VolumeSnapshot' && apiGroup === rename('snapshot.storage.platform.io');
}
