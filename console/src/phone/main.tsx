import '../ui/layout/theme.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { consumeArrival } from './arrival';
import { Phone } from './phone';

// First of all, because the address may contain a secret.
const arrived = consumeArrival();

/** Queries and mutations read and write the local database first, so they also run without a network. */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Phone arrived={arrived} />
    </QueryClientProvider>
  </StrictMode>,
);

// Without a service worker, the page still works online.
void navigator.serviceWorker?.register('/phone/sw.js').catch(() => undefined);
