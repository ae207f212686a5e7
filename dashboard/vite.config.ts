import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// biome-ignore lint/style/noDefaultExport: vite reads the default export
export default defineConfig({
  root: import.meta.dirname,
  // Relative, because a proxy may serve the dashboard below any path: the page names it in its <base>.
  base: "./",
  plugins: [react()],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    license: false,
  },
});
