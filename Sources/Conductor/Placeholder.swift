// Conductor
