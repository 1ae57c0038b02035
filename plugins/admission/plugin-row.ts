/** A row of the table of admission plugins. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import type { RuleResolver } from '../authorization/index.js';
import type { TolerationSeconds } from './pods/default-toleration-seconds.js';
import type { VolumeLabels } from './volumes/volume-label.js';
import type { WebhookCalls } from './webhooks/calls.js';

/** The parts of the server that some plugins need. */
export interface AdmissionParts {
  /** Absent where rights do not go by roles. */
  readonly rules?: RuleResolver;
  /** Absent where no webhooks are called. */
  readonly webhooks?: WebhookCalls;
  /** How long pods stay on nodes that are not ready or not reachable, where they do not say it. */
  readonly tolerations?: TolerationSeconds | undefined;
  /** Absent where nobody knows the places of volumes. */
  readonly volumeLabels?: VolumeLabels | undefined;
}

/** One plugin, and how it comes to run. */
export interface AdmissionRow {
  readonly name: string;
  /** Whether it may change objects, only refuse them, or does each in its turn. */
  readonly phase: 'mutating' | 'validating' | 'both';
  /**
   * Whether it runs unless a flag says otherwise; `gated` where it does so by the gate of its kind, `always` for the
   * server's own checks, which no flag turns off.
   */
  readonly byDefault: 'on' | 'off' | 'gated' | 'always';
  readonly stability: 'stable' | 'alpha' | 'deprecated';
  /** Its precondition, in words: a configuration, a gate. */
  readonly needs?: string;
  /** The gate without which the plugin cannot be enabled. */
  readonly gate?: string;
  /** The stored kind that has no effect without the plugin, so that it should not be served then. */
  readonly kind?: KindOfPlugin;
  /** May leave the plugin out, where a part that it needs is not there. */
  readonly define: (names: Naming, parts: AdmissionParts) => AdmissionPlugin | undefined;
}

/** The kind whose objects a plugin acts on, in the names of the platform. */
export interface KindOfPlugin {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}
