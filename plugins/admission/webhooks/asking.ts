/** The state of a question to a webhook. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  Observer,
  ResourceModule,
} from '../../../runtime/contract/index.js';
import type { SeenObjects } from '../matching/seen-objects.js';
import type { Webhook } from './webhook.js';

/** A request that a webhook is asked about. */
export interface Question {
  readonly webhook: Webhook;
  readonly attributes: AdmissionAttributes;
  readonly context: AdmissionContext;
  /** The version in which the webhook sees the objects, which is the request's own where they are not converted. */
  readonly resource: ResourceModule;
  readonly seen: SeenObjects;
  readonly settings: AskSettings;
}

/** The part of questions that is the same for all requests. */
export interface AskSettings {
  /** The group of reviews. */
  readonly group: string;
  readonly step: 'admit' | 'validate';
  readonly observer: Observer | undefined;
}
