/** The reasons for which flow control refuses requests, as metrics name them. */
export type RefusalReason = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';
