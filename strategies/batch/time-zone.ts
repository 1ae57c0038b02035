/** Names of time zones, as in `Europe/Berlin`: whether this machine knows a zone of that name. */
import type { FieldError, JsonValue } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';

const part = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** The zones of this machine; other names differ from one of these in upper and lower case only, or are links. */
interface Zones {
  /** In the spelling of the zone database. */
  readonly canonical: ReadonlySet<string>;
  readonly lowerCase: ReadonlySet<string>;
}

let zones: Zones | undefined;

/** Asked for with the first name: reading them takes milliseconds, which a start would have to wait for. */
function knownZones(): Zones {
  zones ??= readZones();
  return zones;
}

function readZones(): Zones {
  const names = Intl.supportedValuesOf('timeZone');
  return { canonical: new Set(names), lowerCase: new Set(names.map((name) => name.toLowerCase())) };
}

/** Errors of a zone that a schedule names; none for an absent one. */
export function validateTimeZone(zone: JsonValue | undefined, path: string): readonly FieldError[] {
  if (typeof zone !== 'string') return [];
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

/** Whether a name is that of a zone. Names are told apart by their case, which this machine does not do by itself. */
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
