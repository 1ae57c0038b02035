/**
 * Finds where two definitions of a version differ besides their schemas: whether it is served, subresources, columns,
 * selectable fields.
 */
import type { PrinterColumn, Subresource } from '../../../runtime/contract/index.js';
import type { VersionModel } from '../../model/model.js';
import { keyDifference, listDifferences, type ResourceDifference } from './compare-resources.js';

/** Returns the differences of the two, without the name of the version. */
export function compareVersions(old: VersionModel, next: VersionModel): readonly ResourceDifference[] {
  return [
    ...keyDifference('served', old.served, next.served),
    ...keyDifference('deprecated', isDeprecated(old), isDeprecated(next)),
    ...keyDifference('stability', old.stability?.level, next.stability?.level),
    ...keyDifference('removedRelease', removalOf(old), removalOf(next)),
    ...namedDifferences('subresources', bySubresource(old), bySubresource(next)),
    ...namedDifferences('additionalPrinterColumns', byColumn(old), byColumn(next)),
    ...listDifferences('selectableFields', old.selectableFields, next.selectableFields),
    ...keyDifference('conversion', old.conversion, next.conversion),
  ];
}

/** Returns whether a version is deprecated, now or from some release on. */
export const isDeprecated = ({ deprecation, stability }: VersionModel): boolean =>
  deprecation !== undefined || stability?.deprecated !== undefined;

const removalOf = ({ deprecation, stability }: VersionModel): string | undefined =>
  stability?.removed ?? deprecation?.removedRelease;

type Named = ReadonlyMap<string, unknown>;

/** Returns a difference for each part with a name. The path is the name. */
function namedDifferences(keyword: string, old: Named, next: Named): readonly ResourceDifference[] {
  const names = new Set([...old.keys(), ...next.keys()]);
  return [...names].flatMap((name) => keyDifference(keyword, old.get(name), next.get(name), name));
}

function bySubresource({ subresources }: VersionModel): Named {
  return new Map(subresources.map((subresource): [string, Subresource] => [subresource.name, subresource]));
}

/** Returns columns by name, with what tables show. Leaves out order and description: programs do not read them. */
function byColumn({ columns }: VersionModel): Named {
  return new Map(
    columns.map(({ name, type, format, jsonPath }): [string, Partial<PrinterColumn>] => [
      name,
      { type, jsonPath, ...(format === undefined ? {} : { format }) },
    ]),
  );
}
