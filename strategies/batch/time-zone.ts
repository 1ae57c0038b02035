/** Names of time zones, as in `Europe/Berlin`: this machine must know the zone. */
import type { FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';

const part = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** The zones that this machine knows. Other valid names are links to these or differ in case. */
interface Zones {
  /** In the spelling of the zone database. */
  readonly canonical: ReadonlySet<string>;
  readonly lowerCase: ReadonlySet<string>;
}

let zones: Zones | undefined;

/** Checks the time zone of a schedule; a missing one is valid. */
export function validateTimeZone(zone: string | undefined, path: string): readonly FieldError[] {
  if (zone === undefined) return [];
  if (zone === '') return [invalidValue(path, zone, 'timeZone must be nil or non-empty string')];
  const unknown = invalidValue(path, zone, `unknown time zone ${zone}`);
  const oddParts = zone.split('/').filter((each) => /^(\.|\.\.|-.*)$/.test(each) || !part.test(each));
  const local = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  return [
    ...oddParts.map(() => unknown),
    ...(zone.toLowerCase() === 'local' ? [invalidValue(path, zone, local)] : []),
    ...(isKnownZone(zone) || zone === 'Local' ? [] : [unknown]),
  ];
}

/** Read on first use: it takes milliseconds, which would delay the start. */
function knownZones(): Zones {
  zones ??= readZones();
  return zones;
}

function readZones(): Zones {
  const names = Intl.supportedValuesOf('timeZone');
  return { canonical: new Set(names), lowerCase: new Set(names.map((name) => name.toLowerCase())) };
}

/** Returns whether a time zone exists. Case matters, unlike in `Intl`. */
export function isKnownZone(name: string): boolean {
  const { canonical, lowerCase } = knownZones();
  if (canonical.has(name)) return true;
  if (lowerCase.has(name.toLowerCase()) || !/^[A-Z][A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
