"""The same arms in Exudyn, a multibody code with compiled elements; it comes with the extra `bench`."""
