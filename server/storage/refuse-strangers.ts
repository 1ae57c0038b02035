/** Refuses data of a later release: objects in versions that no definition has would lose what nobody knows of. */
import type { Strangers } from '../../runtime/server/index.js';
import { UnknownVersionError } from './errors.js';

/** Throws an `UnknownVersionError` where there are such objects. `place` says where the data lies. */
export function refuseStrangers(strangers: readonly Strangers[], place: string): void {
  const [first, ...others] = strangers.map(
    ({ resource, version, objects }) =>
      `${objects} ${objects === 1 ? 'object' : 'objects'} of ${resource} in ${version}`,
  );
  if (first === undefined) return;
  const all = [first, ...others].join(', ');
  throw new UnknownVersionError(
    `${place}: stored there are ${all}, which the definitions do not have; ` +
      'start the release that wrote them, or add the version to the definition (`served: false` is enough)',
  );
}
