/** Deletes an object once all its owners are gone, and continues deletions that wait for dependents. */
import type { Controller } from '../controller.js';
import { type ControllerContext, defineController } from '../kit/define-controller.js';
import { Collection } from './collection.js';

const name = 'garbagecollector';

/** Each run has its own graph. A key is `delete` or `orphan`, a colon, and the uid of an object. */
export const garbageCollector: Controller = {
  name,
  run: (parts) => {
    let collection: Collection | undefined;
    const collectionOf = (context: ControllerContext): Collection => (collection ??= new Collection(context));
    return defineController({
      name,
      component: 'garbage-collector-controller',
      watches: [],
      workers: 20,
      reconcile: (key, context) => collectionOf(context).reconcile(key, context.signal),
      beside: (context) => collectionOf(context).run(context.signal),
    }).run(parts);
  },
};
