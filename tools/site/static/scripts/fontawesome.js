// In place of the theme's file of this name, 1.5 MB for every page: its icons also come as a font.
