/** Takes orders with Hono. Invalid orders get a 400. */
import { sValidator } from '@hono/standard-validator';
import { Hono } from 'hono';
import { validateWidget } from '../shop/generated/shop.example.com/v1/widgets/validator.js';

export const app = new Hono().post('/orders', sValidator('json', validateWidget), (context) => {
  const { spec } = context.req.valid('json');
  return context.text(`${spec.count} ${spec.size}`);
});
