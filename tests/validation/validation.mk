# Validation against silicon: see tests/validation/README.md. Included by the Makefile.

# make facts [GPU=v100] [FACTS_FLAGS=--json]: micro-kernels against what real GPUs measure
facts: $(BUILD)/vivace
	@$< validate --set facts --rows $(if $(GPU),--gpu $(GPU)) $(FACTS_FLAGS)
# make validate [VALIDATE_FLAGS=--quick]: whole kernels; pictures into docs/pictures
validate: $(BUILD)/vivace
	@$< validate --set kernels --rows --pictures docs/pictures $(VALIDATE_FLAGS)
# make validate-ptx [VALIDATE_PTX_FLAGS=--quick]: kernels from PTX, as they run without a GPU
validate-ptx: $(BUILD)/vivace
	@VIVACE_BUILD=$(BUILD) node tests/validation/validate_ptx.mjs $(VALIDATE_PTX_FLAGS)
# make validate-levels [LEVELS_FLAGS="--gpu v100"]: the facts at each level of detail; ten minutes
validate-levels: $(BUILD)/vivace
	@VIVACE_BUILD=$(BUILD) node tests/validation/levels.mjs $(LEVELS_FLAGS)
# their PTX anew, where nvcc is on the path
validation-ptx:
	@nvcc -ptx -arch=compute_75 -o tests/validation/ptx/kernels.ptx tests/validation/ptx/kernels.cu
