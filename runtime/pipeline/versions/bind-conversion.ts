/** Puts together how a version is converted to the stored one and back. */
import type { NamedConversion, Rename, ResourceModule } from '../../contract/index.js';
import type { BoundConversion } from '../served-resource.js';

/** What a module declares, and after it what a conversion by name does; on the way to the stored version the reverse. */
export function bindConversion(
  { conversion }: ResourceModule,
  {
    namedConversion,
    rename = (name) => name,
  }: { readonly namedConversion?: NamedConversion; readonly rename?: Rename },
): BoundConversion | undefined {
  if (!conversion && !namedConversion) return undefined;
  return {
    toStored: (object) => {
      namedConversion?.toStored(object, rename);
      conversion?.toStored(object, rename);
    },
    fromStored: (object) => {
      conversion?.fromStored(object, rename);
      namedConversion?.fromStored(object, rename);
    },
  };
}
