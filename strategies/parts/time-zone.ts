/** Names of time zones, as in `Europe/Berlin`: whether this machine knows a zone of that name. */
import type { FieldError, JsonValue } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';

const part = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** Names in the spelling of the zone database; others differ from one of these in upper and lower case only, or are links. */
const canonical: ReadonlySet<string> = new Set(Intl.supportedValuesOf('timeZone'));
const lowerCase: ReadonlySet<string> = new Set([...canonical].map((name) => name.toLowerCase()));

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
  if (canonical.has(name)) return true;
  if (lowerCase.has(name.toLowerCase()) || !/^[A-Z][A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
