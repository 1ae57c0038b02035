/** Kinds that subresources take and return in place of the object's own. */
import type { ListMeta, ObjectMeta } from '../types.js';

/** The number of replicas of an object: wanted and current. */
export interface Scale {
  apiVersion: string;
  kind: 'Scale';
  metadata: ObjectMeta;
  spec: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** A request to evict a pod. Disruption budgets may refuse it. */
export interface Eviction {
  apiVersion: string;
  kind: 'Eviction';
  metadata?: ObjectMeta;
  deleteOptions?: { gracePeriodSeconds?: number; preconditions?: { uid?: string; resourceVersion?: string } };
}

/** A request for a token of a service account, and the answer to it. */
export interface TokenRequest {
  apiVersion: string;
  kind: 'TokenRequest';
  metadata?: ObjectMeta;
  spec: {
    audiences: string[];
    expirationSeconds?: number | bigint;
    boundObjectRef?: { apiVersion?: string; kind?: string; name?: string; uid?: string };
  };
  status?: { token: string; expirationTimestamp: string };
}

/** A column of a Table, as `meta.k8s.io/v1` defines it. */
export interface TableColumn {
  name: string;
  /** As in OpenAPI: `string`, `integer`, `number`, `boolean`, `date`. */
  type: string;
  /** `name` for the column that names the object. */
  format: string;
  description: string;
  /** 0 for columns that are always shown. Columns with higher numbers are for wide tables. */
  priority: number;
}

/** A row of a table, for one object. */
export interface TableRow {
  /** As many as columns. */
  cells: unknown[];
  /** The object, or only its metadata, as requested. Absent if `includeObject` is `None`. */
  object?: PartialObject;
}

/** A collection as a server shows it to people. */
export interface Table {
  apiVersion: string;
  kind: 'Table';
  metadata: ListMeta;
  columnDefinitions: TableColumn[];
  rows: TableRow[];
}

/** An object with only its metadata. */
export interface PartialObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}
