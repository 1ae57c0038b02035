/** How far a version has come: alpha, beta or stable. */
import type { Stability } from '../../../runtime/contract/index.js';
import type { VersionModel } from '../../model/model.js';

/** The stage that a definition says, or that the name of the version has; names of any other form promise the most. */
export function stageOf({ name, stability }: Pick<VersionModel, 'name' | 'stability'>): Stability['level'] {
  if (stability !== undefined) return stability.level;
  const named = /^v\d+(alpha|beta)\d+$/.exec(name)?.[1];
  return named === 'alpha' || named === 'beta' ? named : 'stable';
}

const order: readonly Stability['level'][] = ['alpha', 'beta', 'stable'];

/** Whether a version promises at least as much as another. */
export function isAsStable(one: Stability['level'], other: Stability['level']): boolean {
  return order.indexOf(one) >= order.indexOf(other);
}
