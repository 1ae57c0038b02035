/** Counts claims of volumes and the storage that they ask for, in all and by storage class. */
import type { JsonObject } from '../../contract/index.js';
import { type Amounts, amountsAt } from '../amounts.js';
import { objectAt, stringAt } from '../guards.js';
import type { Naming } from '../naming.js';
import { compareQuantities, type Quantity, quantityInUnits } from '../scan/quantity.js';
import { countName, countOf, type Evaluator, evaluatorOf } from './evaluator.js';

const count = countName('', 'persistentvolumeclaims');
const claimsName = 'persistentvolumeclaims';
const storageName = 'requests.storage';

/** A claim may grow, so that updates cost too. */
export function defineClaims({ rename }: Naming): Evaluator {
  const ofClass = `.storageclass.${rename('storage.platform.io')}/`;
  const classAnnotation = rename('volume.beta.platform.io/storage-class');
  const byClass = [claimsName, storageName].map((name) => `${ofClass}${name}`);
  return evaluatorOf({
    chargesUpdates: true,
    covers: (name) =>
      name === count || name === claimsName || name === storageName || byClass.some((end) => name.endsWith(end)),
    usage(claim) {
      const used = new Map([
        [count, countOf(1)],
        [claimsName, countOf(1)],
      ]);
      const storage = storageOf(claim);
      if (storage) used.set(storageName, storage);
      const storageClass = classOf(claim, classAnnotation);
      if (storageClass === '') return used;
      used.set(`${storageClass}${ofClass}${claimsName}`, countOf(1));
      if (storage) used.set(`${storageClass}${ofClass}${storageName}`, storage);
      return used;
    },
  });
}

/** The annotation is how claims named their class before the field was there; it goes first. */
function classOf(claim: JsonObject, annotation: string): string {
  const annotations = objectAt(objectAt(claim, 'metadata'), 'annotations');
  const annotated = annotations?.[annotation];
  return typeof annotated === 'string' ? annotated : stringAt(objectAt(claim, 'spec'), 'storageClassName');
}

/** In whole bytes. A claim that asks for less than it was given uses what it was given. */
function storageOf(claim: JsonObject): Quantity | undefined {
  const storageIn = (amounts: Amounts): Quantity | undefined => amounts.get('storage');
  const asked = storageIn(amountsAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests'));
  const given = storageIn(amountsAt(objectAt(claim, 'status'), 'allocatedResources'));
  if (!asked) return undefined;
  return inWholeUnits(given && compareQuantities(given, asked) > 0 ? given : asked);
}

const inWholeUnits = (amount: Quantity): Quantity =>
  amount.exponent >= 0 ? amount : { digits: quantityInUnits(amount), exponent: 0, notation: amount.notation };
