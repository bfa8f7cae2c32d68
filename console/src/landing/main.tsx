import '../ui/layout/theme.css';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { Landing } from './landing';

hydrateRoot(
  document.querySelector('#root') as HTMLElement,
  <StrictMode>
    <Landing />
  </StrictMode>,
);
