import '../ui/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { Boundary } from '../ui/boundary';
import { createQueries } from './api';
import { Dashboard } from './dashboard';

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <Boundary>
      <QueryClientProvider client={createQueries()}>
        <BrowserRouter basename="/dashboard">
          <Dashboard />
        </BrowserRouter>
      </QueryClientProvider>
    </Boundary>
  </StrictMode>,
);
