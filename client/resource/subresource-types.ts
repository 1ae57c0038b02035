/** Kinds that subresources take and give in place of the object's own. */
import type { ListMeta, ObjectMeta } from '../types.js';

/** How many replicas an object wants and has. */
export interface Scale {
  apiVersion: string;
  kind: 'Scale';
  metadata: ObjectMeta;
  spec: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** A request to evict a pod, which budgets may refuse. */
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

/** A column of a table. */
export interface TableColumn {
  name: string;
  /** As in OpenAPI: `string`, `integer`, `number`, `boolean`, `date`. */
  type: string;
  /** `name` for the column that names the object. */
  format: string;
  description: string;
  /** 0 for columns that are always shown; higher ones are for wide tables. */
  priority: number;
}

/** A row of a table, which stands for an object. */
export interface TableRow {
  /** As many as columns. */
  cells: unknown[];
  /** The object: its metadata alone where nothing else was asked for; absent where it was not wanted. */
  object?: PartialObject;
}

/** A collection as a server prints it for people. */
export interface Table {
  apiVersion: string;
  kind: 'Table';
  metadata: ListMeta;
  columnDefinitions: TableColumn[];
  rows: TableRow[];
}

/** An object with nothing but its metadata. */
export interface PartialObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}
