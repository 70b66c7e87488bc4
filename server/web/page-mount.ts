import type { IncomingMessage, ServerResponse } from 'node:http';

/** Who answers every path that is not the API's: Next in the product, nobody in tests of the API. */
export interface PageMount {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}
