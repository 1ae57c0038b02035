/** Takes orders with tRPC. Invalid orders are bad requests. */
import { initTRPC } from '@trpc/server';
import { validateWidget } from '../shop/generated/shop.example.com/v1/widgets/validator.js';

const { procedure, router } = initTRPC.create();

export const orders = router({
  place: procedure.input(validateWidget).mutation(({ input: { spec } }) => `${spec.count} ${spec.size}`),
});
