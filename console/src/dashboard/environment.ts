import { createContext, useContext } from 'react';
import type { Environment } from './api';

const EnvironmentContext = createContext<Environment>('live');

export const EnvironmentProvider = EnvironmentContext.Provider;
export const useEnvironment = (): Environment => useContext(EnvironmentContext);
