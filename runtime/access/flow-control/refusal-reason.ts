/** The reasons for refusals by flow control, as metrics name them. */
export type RefusalReason = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';
